import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { SchemaNode } from '../schema-node.ts';

/** Finds the item of a list that has the same keys as another. */
export class KeyedItems {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, JsonObject>();

  constructor(list: readonly JsonValue[], keys: readonly string[]) {
    this.#keys = keys;
    for (const item of list) {
      const key = keyOf(item, keys);
      // Of two items with one key, the first is the one.
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item as JsonObject);
    }
  }

  get(item: JsonValue): JsonObject | undefined {
    const key = keyOf(item, this.#keys);
    return key === undefined ? undefined : this.#items.get(key);
  }
}

/** Empty for lists that have no keys. */
export function keyedItems(list: readonly JsonValue[], node: SchemaNode): KeyedItems {
  const keys = (node.isList ? node.listKeys : undefined) ?? [];
  return new KeyedItems(keys.length === 0 ? [] : list, keys);
}

/** Undefined: some key is missing, or no scalar. */
function keyOf(item: JsonValue, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item)) return undefined;
  let text = '';
  for (const key of keys) {
    const part = Object.hasOwn(item, key) ? scalarKey(item[key]) : undefined;
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

function scalarKey(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return `${value.length}:${value}`;
  if (value instanceof JsonFloat) return `f${value.value};`;
  if (value === undefined || value === null || typeof value === 'object') return undefined;
  return `${typeof value === 'boolean' ? 'b' : 'n'}${value};`;
}
