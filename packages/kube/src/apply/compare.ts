/** The difference between two objects of a type, as three field sets. */
import type { JsonObject, JsonValue } from '../json/value.ts';
import { emptySet, fieldNode, fieldSetOf, union, type FieldNode, type FieldSet } from './field-set.ts';
import { checkedItemElement } from './list-item.ts';
import {
  atomOf,
  deducedAtom,
  entryOf,
  entryType,
  firstAtom,
  isEmptyMap,
  listIn,
  mapIn,
  type Atom,
  type ListMerge,
  type MapMerge,
  type MergeType,
} from './merge-type.ts';
import { fieldElement, type PathElement } from './path-element.ts';
import { equalValues } from './value-order.ts';

export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** Throws `SchemaError` if list items have no identity. */
export function compareTyped(type: MergeType, before: JsonValue, after: JsonValue): Comparison {
  return changeOf(type, before, after) ?? unchanged;
}

/** Changes below one field, and of the field itself. */
interface Change extends Comparison {
  readonly isRemoved: boolean;
  readonly isModified: boolean;
  readonly isAdded: boolean;
}

const unchanged: Change = {
  isRemoved: false,
  isModified: false,
  isAdded: false,
  removed: emptySet,
  modified: emptySet,
  added: emptySet,
};
const modifiedItself: Change = { ...unchanged, isModified: true };
const addedItself: Change = { ...unchanged, isAdded: true };
const removedItself: Change = { ...unchanged, isRemoved: true };

function changeOf(type: MergeType, before: JsonValue | undefined, after: JsonValue | undefined): Change | undefined {
  if (before === after) return undefined;
  if (before === undefined) return after === undefined ? undefined : addition(type, after);
  if (after === undefined) return removal(type, before);
  const from = deducedAtom(type, before);
  const to = deducedAtom(type, after);
  if (from === to || hasOneAtom(type)) return atomChange(type, to ?? firstAtom(type), before, after);
  // The value changed its shape, so it counts as changed in both shapes.
  return joined(
    atomChange(type, from ?? firstAtom(type), before, after),
    atomChange(type, to ?? firstAtom(type), before, after),
  );
}

function addition(type: MergeType, value: JsonValue): Change {
  const added = everythingBelow(type, value);
  return added.length === 0
    ? addedItself
    : { isRemoved: false, isModified: false, isAdded: true, removed: emptySet, modified: emptySet, added };
}

function removal(type: MergeType, value: JsonValue): Change {
  const removed = everythingBelow(type, value);
  return removed.length === 0 ? removedItself : { ...removedItself, removed };
}

function atomChange(type: MergeType, atom: Atom, before: JsonValue, after: JsonValue): Change | undefined {
  if (atom === 'list' && type.list !== undefined) return listChange(type.list, before, after);
  if (atom === 'map' && type.map !== undefined) return mapChange(type.map, before, after);
  return leafChange(before, after);
}

function leafChange(before: JsonValue, after: JsonValue): Change | undefined {
  return equalValues(before, after) ? undefined : modifiedItself;
}

function mapChange(map: MapMerge, before: JsonValue, after: JsonValue): Change | undefined {
  const from = mapIn(before);
  const to = mapIn(after);
  // Two empty maps are a leaf, because null differs from {}.
  if (map.relationship === 'atomic' || (isEmptyMap(from) && isEmptyMap(to))) return leafChange(before, after);
  const changes = new Changes();
  for (const key in from) {
    const change = entryChange(map, key, entryOf(from, key), entryOf(to, key));
    if (change !== undefined) changes.add(fieldElement(key), change);
  }
  for (const key in to) {
    const change = Object.hasOwn(from, key) ? undefined : entryChange(map, key, undefined, entryOf(to, key));
    if (change !== undefined) changes.add(fieldElement(key), change);
  }
  return changes.total();
}

function entryChange(
  map: MapMerge,
  key: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Change | undefined {
  if (before === after) return undefined;
  const type = entryType(map, key);
  return type === undefined ? undefined : changeOf(type, before, after);
}

function listChange(list: ListMerge, before: JsonValue, after: JsonValue): Change | undefined {
  const from = listIn(before);
  const to = listIn(after);
  if (list.relationship === 'atomic' || (from.length === 0 && to.length === 0)) return leafChange(before, after);
  if (equalValues(before, after)) return undefined;
  const changes = new Changes();
  const itemsBefore = itemsByElement(list, from);
  const itemsAfter = itemsByElement(list, to);
  for (const [element, items] of itemsBefore) {
    const change = itemsChange(list, items, itemsAfter.get(element) ?? []);
    if (change !== undefined) changes.add(element, change);
  }
  for (const [element, items] of itemsAfter) {
    const change = itemsBefore.has(element) ? undefined : itemsChange(list, [], items);
    if (change !== undefined) changes.add(element, change);
  }
  return changes.total();
}

/** Items with one key. Several of them cannot be distinguished, so they are owned as one. */
function itemsChange(list: ListMerge, before: readonly JsonValue[], after: readonly JsonValue[]): Change | undefined {
  const repeatedBefore = before.length > 1;
  const repeatedAfter = after.length > 1;
  if (!repeatedBefore && !repeatedAfter) return changeOf(list.element(), before[0], after[0]);
  if (repeatedBefore && repeatedAfter) return leafChange([...before], [...after]);
  return joined(
    changeOf(list.element(), repeatedBefore ? undefined : before[0], repeatedAfter ? undefined : after[0]),
    repeatedBefore ? removedItself : addedItself,
  );
}

/** If only one side has a value, every field below it was added or removed, containers included. */
function everythingBelow(type: MergeType, value: JsonValue): FieldSet {
  const atom = atomOf(type, value);
  if (atom === 'map' && type.map?.relationship === 'separable') return allEntries(type.map, mapIn(value));
  if (atom === 'list' && type.list?.relationship === 'associative') return allItems(type.list, listIn(value));
  return emptySet;
}

function allEntries(map: MapMerge, entries: JsonObject): FieldSet {
  const nodes: FieldNode[] = [];
  for (const key in entries) {
    const entry = entries[key];
    const type = entry === undefined ? undefined : entryType(map, key);
    if (entry === undefined || type === undefined) continue;
    nodes.push(fieldNode(fieldElement(key), true, everythingBelow(type, entry)));
  }
  return fieldSetOf(nodes);
}

function allItems(list: ListMerge, items: readonly JsonValue[]): FieldSet {
  const nodes: FieldNode[] = [];
  for (const [element, same] of itemsByElement(list, items)) {
    const below = same.length > 1 ? emptySet : everythingBelow(list.element(), same[0] as JsonValue);
    nodes.push(fieldNode(element, true, below));
  }
  return fieldSetOf(nodes);
}

function itemsByElement(list: ListMerge, items: readonly JsonValue[]): Map<PathElement, JsonValue[]> {
  const groups = new Map<PathElement, JsonValue[]>();
  for (let index = 0; index < items.length; index++) {
    const item = items[index] as JsonValue;
    const element = checkedItemElement(list, item, index);
    const group = groups.get(element);
    if (group === undefined) groups.set(element, [item]);
    else group.push(item);
  }
  return groups;
}

function hasOneAtom({ map, list, scalar }: MergeType): boolean {
  return Number(map !== undefined) + Number(list !== undefined) + Number(scalar !== undefined) === 1;
}

function joined(a: Change | undefined, b: Change | undefined): Change | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    isRemoved: a.isRemoved || b.isRemoved,
    isModified: a.isModified || b.isModified,
    isAdded: a.isAdded || b.isAdded,
    removed: union(a.removed, b.removed),
    modified: union(a.modified, b.modified),
    added: union(a.added, b.added),
  };
}

/** Collects the changes of a container's children. Most containers have none, or changes of one sort. */
class Changes {
  #removed: FieldNode[] | undefined;
  #modified: FieldNode[] | undefined;
  #added: FieldNode[] | undefined;

  add(element: PathElement, change: Change): void {
    this.#removed = withNode(this.#removed, element, change.isRemoved, change.removed);
    this.#modified = withNode(this.#modified, element, change.isModified, change.modified);
    this.#added = withNode(this.#added, element, change.isAdded, change.added);
  }

  total(): Change | undefined {
    const [removed, modified, added] = [this.#removed, this.#modified, this.#added];
    if (removed === undefined && modified === undefined && added === undefined) return undefined;
    return {
      isRemoved: false,
      isModified: false,
      isAdded: false,
      removed: removed === undefined ? emptySet : fieldSetOf(removed),
      modified: modified === undefined ? emptySet : fieldSetOf(modified),
      added: added === undefined ? emptySet : fieldSetOf(added),
    };
  }
}

function withNode(
  nodes: FieldNode[] | undefined,
  element: PathElement,
  member: boolean,
  children: FieldSet,
): FieldNode[] | undefined {
  if (!member && children.length === 0) return nodes;
  const node = fieldNode(element, member, children);
  if (nodes === undefined) return [node];
  nodes.push(node);
  return nodes;
}
