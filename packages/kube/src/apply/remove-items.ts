/** Takes fields and items out of an object. */
import { setOwn } from '../json/own-property.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { atomOf, entryType } from './atom.ts';
import { findNode, type FieldSet } from './field-set.ts';
import { checkedItemElement } from './list-item.ts';
import type { ListMerge, MapMerge, MergeType } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

/** A container that loses everything becomes null. The result shares what stays with `value`. */
export function removeItems(type: MergeType, value: JsonValue, items: FieldSet): JsonValue {
  switch (atomOf(type, value)) {
    case 'scalar':
      return value;
    case 'list':
      if (type.list?.relationship !== 'associative' || !Array.isArray(value)) return null;
      return remainingItems(type.list, value, items);
    case 'map':
      if (type.map?.relationship !== 'separable' || !isJsonObject(value)) return null;
      return remainingEntries(type.map, value, items);
  }
}

function remainingItems(list: ListMerge, values: readonly JsonValue[], items: FieldSet): JsonValue {
  const remaining: JsonValue[] = [];
  for (const [index, item] of values.entries()) {
    const node = findNode(items, checkedItemElement(list, item, index));
    if (node?.member === true) continue;
    remaining.push(node === undefined ? item : removeItems(list.element(), item, node.children));
  }
  return remaining.length === 0 ? null : remaining;
}

function remainingEntries(map: MapMerge, entries: JsonObject, items: FieldSet): JsonValue {
  const remaining: JsonObject = {};
  let empty = true;
  for (const key of Object.keys(entries)) {
    const entry = entries[key];
    const node = findNode(items, fieldElement(key));
    if (entry === undefined || node?.member === true) continue;
    const type = node === undefined ? undefined : entryType(map, key);
    setOwn(remaining, key, node === undefined || type === undefined ? entry : removeItems(type, entry, node.children));
    empty = false;
  }
  return empty ? null : remaining;
}
