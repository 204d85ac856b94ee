/** The fields in a configuration, which its applier will own. */
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { emptySet, fieldNode, fieldSetOf, type FieldNode, type FieldSet } from './field-set.ts';
import { checkedItemElement } from './list-item.ts';
import { atomOf, entryType, isEmptyMap, type ListMerge, type MapMerge, type MergeType } from './merge-type.ts';
import { fieldElement } from './path-element.ts';

export function toFieldSet(type: MergeType, value: JsonValue): FieldSet {
  return fieldsOf(type, value).children;
}

interface Fields {
  /** The value's own path is in the set. */
  readonly member: boolean;
  readonly children: FieldSet;
}

const whole: Fields = { member: true, children: emptySet };
const nothing: Fields = { member: false, children: emptySet };

function fieldsOf(type: MergeType, value: JsonValue): Fields {
  switch (atomOf(type, value)) {
    case 'scalar':
      return whole;
    case 'list':
      if (type.list === undefined || !Array.isArray(value)) return nothing;
      return type.list.relationship === 'atomic' ? whole : { member: false, children: listFields(type.list, value) };
    case 'map':
      if (type.map?.relationship === 'atomic') return whole;
      if (type.map === undefined || !isJsonObject(value)) return nothing;
      return { member: false, children: mapFields(type.map, value) };
  }
}

/** Each item is owned with its content. Duplicate items are owned as one, without content. */
function listFields(list: ListMerge, items: readonly JsonValue[]): FieldSet {
  const nodes = new Map<string, FieldNode>();
  const type = list.element();
  for (const [index, item] of items.entries()) {
    const element = checkedItemElement(list, item, index);
    const children = nodes.has(element) ? emptySet : fieldsOf(type, item).children;
    nodes.set(element, fieldNode(element, true, children));
  }
  return fieldSetOf([...nodes.values()]);
}

/** A struct field is owned through its content. A map entry, an empty map and null are owned themselves. */
function mapFields(map: MapMerge, entries: JsonObject): FieldSet {
  const nodes: FieldNode[] = [];
  for (const key of Object.keys(entries)) {
    const entry = entries[key];
    if (entry === undefined) continue;
    const type = entryType(map, key);
    const fields = type === undefined ? nothing : fieldsOf(type, entry);
    const itself = entry === null || (isJsonObject(entry) && isEmptyMap(entry)) || map.field(key) === undefined;
    const member = fields.member || itself;
    if (member || fields.children.length > 0) nodes.push(fieldNode(fieldElement(key), member, fields.children));
  }
  return fieldSetOf(nodes);
}
