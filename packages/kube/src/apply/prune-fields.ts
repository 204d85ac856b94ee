/** Removes fields of an applier's last configuration that the new one omits and that have no other owner. */
import { setOwn } from '../json/untrusted.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { difference, emptySet, fieldNode, findNode, intersection, union, type FieldSet } from './field-set.ts';
import { checkedItemElement } from './list-item.ts';
import type { ManagedKind } from './managed-kind.ts';
import type { Manager, Managers } from './managers.ts';
import { atomOf, entryType, type ListMerge, type MapMerge, type MergeType } from './merge-type.ts';
import { fieldElement, fieldNameOf, isFieldElement, isKeyElement, type PathElement } from './path-element.ts';
import { toFieldSet } from './to-field-set.ts';
import { inVersion, type TypedObject } from './typed-object.ts';

/** `managers` must already contain the applier's new fields, which are `fields`. */
export function pruneFields(
  kind: ManagedKind,
  merged: TypedObject,
  last: Manager | undefined,
  managers: Managers,
  fields: FieldSet,
): TypedObject {
  if (last === undefined || last.fields.length === 0) return merged;
  // Most applies omit nothing, and the rest walks the object seven times.
  if (last.apiVersion === merged.apiVersion && difference(last.fields, fields).length === 0) return merged;
  const then = inVersion(kind, merged, last.apiVersion);
  if (then === undefined) return merged;
  const withoutLast = without(then, named(then, last.fields));
  const withOwned = addBackOwned(kind, then, withoutLast, managers);
  const pruned = addBackDangling(kind, then, withOwned, last);
  return inVersion(kind, pruned, merged.apiVersion) ?? pruned;
}

/** Restores fields of other managers and of the new configuration. */
function addBackOwned(kind: ManagedKind, merged: TypedObject, pruned: TypedObject, managers: Managers): TypedObject {
  const owned = ownedByVersion(managers);
  // The current version comes first, because a conversion may need a restored field.
  const versions = [...owned.keys()].sort((a, b) => Number(b === merged.apiVersion) - Number(a === merged.apiVersion));
  let result = pruned;
  for (const apiVersion of versions) {
    const whole = inVersion(kind, merged, apiVersion);
    const part = inVersion(kind, result, apiVersion);
    if (whole === undefined || part === undefined) continue;
    const keep = union(namedFieldsOf(part), named(whole, owned.get(apiVersion) ?? emptySet));
    result = without(whole, difference(namedFieldsOf(whole), keep));
  }
  return result;
}

/** Restores fields that were removed but never belonged to the applier. */
function addBackDangling(kind: ManagedKind, merged: TypedObject, pruned: TypedObject, last: Manager): TypedObject {
  const part = inVersion(kind, pruned, last.apiVersion);
  if (part === undefined) return merged;
  const gone = difference(namedFieldsOf(merged), namedFieldsOf(part));
  return without(merged, intersection(gone, named(merged, last.fields)));
}

function ownedByVersion(managers: Managers): Map<string, FieldSet> {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managers.values()) {
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, fields));
  }
  return owned;
}

function named({ type }: TypedObject, fields: FieldSet): FieldSet {
  return withNamedFields(type, fields);
}

function namedFieldsOf(object: TypedObject): FieldSet {
  return named(object, toFieldSet(object.type, object.value));
}

function without(object: TypedObject, fields: FieldSet): TypedObject {
  return { ...object, value: (removeItems(object.type, object.value, fields) ?? {}) as JsonObject };
}

/**
 * Makes every declared field with members below it a member. A struct is owned through its fields; this removes it
 * with the last of them.
 */
export function withNamedFields(type: MergeType | undefined, set: FieldSet): FieldSet {
  return set.map((node) => {
    if (node.children.length === 0) return node;
    const named = isFieldElement(node.element) && type?.map?.field(fieldNameOf(node.element)) !== undefined;
    return fieldNode(node.element, node.member || named, withNamedFields(typeBelow(type, node.element), node.children));
  });
}

function typeBelow(type: MergeType | undefined, element: PathElement): MergeType | undefined {
  if (isFieldElement(element)) return type?.map === undefined ? undefined : entryType(type.map, fieldNameOf(element));
  return isKeyElement(element) ? type?.list?.element() : undefined;
}

/** A container that loses everything becomes null. The result shares what remains with `value`. */
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
