import { isJsonObject, jsonEquals, JsonFloat, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { SchemaNode } from '../schema-node.ts';

/**
 * A value and its old value. Properties and entries of maps are matched by name, items of lists only by keys that the
 * schema declares.
 */
export class Correlation {
  readonly value: JsonValue;
  readonly old: JsonValue;
  readonly #node: SchemaNode;
  readonly #children = new Map<string | number, Correlation>();
  #oldItems: KeyedItems | undefined;
  #isUnchanged: boolean | undefined;

  constructor(value: JsonValue, old: JsonValue, node: SchemaNode) {
    this.value = value;
    this.old = old;
    this.#node = node;
  }

  /** Undefined if there was none, or if the schema does not know it. */
  key(name: string): Correlation | undefined {
    if (!isJsonObject(this.value) || !isJsonObject(this.old)) return undefined;
    if (!Object.hasOwn(this.value, name) || !Object.hasOwn(this.old, name)) return undefined;
    const node = this.#node.child(name);
    return node && this.#child(name, this.value[name] ?? null, this.old[name] ?? null, node);
  }

  index(index: number): Correlation | undefined {
    const { items } = this.#node;
    if (!Array.isArray(this.value) || items === undefined || this.#node.listKeys === undefined) return undefined;
    const item = this.value[index] ?? null;
    const old = this.#keyedOldItems()?.get(item);
    return old === undefined ? undefined : this.#child(index, item, old, items);
  }

  /** Lists by key may change their order. As in Kubernetes, unknown fields count as changed. */
  get isUnchanged(): boolean {
    return (this.#isUnchanged ??= this.#compare());
  }

  #child(step: string | number, value: JsonValue, old: JsonValue, node: SchemaNode): Correlation {
    const known = this.#children.get(step);
    if (known !== undefined) return known;
    const child = new Correlation(value, old, node);
    this.#children.set(step, child);
    return child;
  }

  #keyedOldItems(): KeyedItems | undefined {
    if (!Array.isArray(this.old)) return undefined;
    return (this.#oldItems ??= keyedItems(this.old, this.#node));
  }

  #compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value)) return Array.isArray(old) && this.#compareLists(value, old);
    if (!isJsonObject(value)) return jsonEquals(value, old);
    if (!isJsonObject(old)) return false;
    const keys = Object.keys(value);
    return keys.length === Object.keys(old).length && keys.every((key) => this.key(key)?.isUnchanged === true);
  }

  #compareLists(list: readonly JsonValue[], old: JsonValue[]): boolean {
    if (list.length !== old.length) return false;
    if (this.#node.listKeys === undefined) return jsonEquals([...list], old);
    return list.every((_, i) => this.index(i)?.isUnchanged === true);
  }
}

/** Finds the item of a list with the same keys as another. */
class KeyedItems {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, JsonObject>();

  constructor(list: readonly JsonValue[], keys: readonly string[]) {
    this.#keys = keys;
    for (const item of list) {
      const key = keyOf(item, keys);
      // Of two items with the same keys, the first counts.
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item as JsonObject);
    }
  }

  get(item: JsonValue): JsonObject | undefined {
    const key = keyOf(item, this.#keys);
    return key === undefined ? undefined : this.#items.get(key);
  }
}

/** Empty for lists without keys. */
export function keyedItems(list: readonly JsonValue[], node: SchemaNode): KeyedItems {
  const keys = (node.isList ? node.listKeys : undefined) ?? [];
  return new KeyedItems(keys.length === 0 ? [] : list, keys);
}

/** Undefined if a key is missing or not a scalar. */
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
