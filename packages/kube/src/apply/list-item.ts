/** The identity of items in associative lists. */
import { compareBytes, quoteAll } from '../go/format.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { entryOf, type ListMerge } from './merge-type.ts';
import { keyElement, valueElement, type PathElement } from './path-element.ts';
import { SchemaError, type Problem } from './schema-error.ts';

/** The path element of an item, or why it has none. */
export function itemElement(list: ListMerge, item: JsonValue): PathElement | Problem {
  return list.keys !== undefined && list.keys.length > 0 ? keyedItem(list, list.keys, item) : setItem(item);
}

/** For lists that are already validated. */
export function checkedItemElement(list: ListMerge, item: JsonValue, index: number): PathElement {
  const element = itemElement(list, item);
  if (typeof element === 'string') return element;
  throw new SchemaError([atIndex(index, element)]);
}

export function atIndex(index: number, { message }: Problem): Problem {
  return { path: '', message: `element ${index}: ${message}` };
}

function keyedItem(list: ListMerge, keys: readonly string[], item: JsonValue): PathElement | Problem {
  if (item === null) return problem('associative list with keys may not have a null element');
  if (!isJsonObject(item)) return problem('associative list with keys may not have non-map elements');
  const fields: [string, JsonValue][] = [];
  for (const key of keys) {
    const value = entryOf(item, key) ?? list.element().map?.field(key)?.default;
    if (value !== undefined) fields.push([key, value]);
  }
  if (fields.length === 0) {
    return problem(
      `associative list with keys has an element that omits all key fields ${quoteAll(keys)} (and doesn't have default values for any key fields)`,
    );
  }
  return keyElement(isSorted(fields) ? fields : fields.sort(([a], [b]) => compareBytes(a, b)));
}

/** Types declare the keys of most lists in this order. */
function isSorted(fields: readonly (readonly [name: string, value: JsonValue])[]): boolean {
  let before = '';
  for (const [name] of fields) {
    if (compareBytes(before, name) > 0) return false;
    before = name;
  }
  return true;
}

function setItem(item: JsonValue): PathElement | Problem {
  if (isJsonObject(item)) return problem("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) return problem('not supported: associative list with lists as elements');
  if (item === null) return problem("associative list without keys has an element that's an explicit null");
  return valueElement(item);
}

function problem(message: string): Problem {
  return { path: '', message };
}
