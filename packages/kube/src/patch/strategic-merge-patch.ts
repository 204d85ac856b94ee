/**
 * Strategic merge patch: a merge patch that knows the kind's fields, so that lists can be merged by key, and that
 * carries directives for what a merge alone cannot say.
 */
import { getOwn, setOwn } from '../json/own-property.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { goPrint } from './go-print.ts';
import { notAnObject } from './merge-patch.ts';
import { checkPatchDepth, PatchError } from './patch-error.ts';
import type { PatchField, PatchSchema, PatchStrategy } from './patch-schema.ts';
import {
  adopted,
  adoptedElements,
  deletionListPrefix,
  elementOrderPrefix,
  listNameIn,
  obeyPatchMarker,
  patchMarker,
  retainedKeys,
  retainKeysMarker,
  unexpected,
  wrongType,
} from './strategic-directives.ts';
import { elementKind, identity, inOrder, keyOf, mergeLists, withoutElements } from './strategic-list.ts';
import type { List, MergeElement } from './strategic-list.ts';

/** A body of `null` changes nothing. */
export function decodeStrategicMergePatch(patch: JsonValue): JsonObject {
  if (patch === null) return {};
  if (!isJsonObject(patch)) throw new PatchError('malformed', notAnObject(patch));
  return patch;
}

export function applyStrategicMergePatch(original: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  return mergeObject(original, patch, schema, 0);
}

function mergeObject(
  original: JsonObject,
  patch: JsonObject,
  schema: PatchSchema | undefined,
  depth: number,
): JsonObject {
  checkPatchDepth(depth);
  if (Object.hasOwn(patch, patchMarker)) return obeyPatchMarker(patch);
  const { [retainKeysMarker]: retain, ...members } = patch;
  const merged = retain === undefined ? { ...original } : retaining(original, retain, members);
  const merge: ObjectMerge = { merged, members, schema, depth };
  mergeOrderedLists(merge);
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue;
    if (key.startsWith(deletionListPrefix)) deleteFromList(merge, key, value);
    else mergeMember(merge, key, value);
  }
  return merged;
}

/** One object on its way: what it has become so far, and the members of the patch still to be merged. */
interface ObjectMerge {
  readonly merged: JsonObject;
  readonly members: JsonObject;
  readonly schema: PatchSchema | undefined;
  readonly depth: number;
}

function retaining(original: JsonObject, directive: JsonValue, members: JsonObject): JsonObject {
  const retained = retainedKeys(directive, members);
  const kept = { ...original };
  for (const key of Object.keys(kept)) if (!retained.has(key)) delete kept[key];
  return kept;
}

function mergeMember({ merged, schema, depth }: ObjectMerge, key: string, value: JsonValue): void {
  const current = getOwn(merged, key);
  if (value === null) {
    delete merged[key];
  } else if (isJsonObject(current) && isJsonObject(value)) {
    const field = fieldOf(schema, key);
    const replaces = strategyOf(field) === 'replace';
    setOwn(merged, key, replaces ? value : mergeObject(current, value, field.schema, depth + 1));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const field = fieldOf(schema, key);
    const merges = strategyOf(field) === 'merge';
    setOwn(merged, key, merges ? [...mergeLists(current, value, field.mergeKey, mergeElementOf(field, depth))] : value);
  } else {
    adopt(merged, key, value);
  }
}

function adopt(merged: JsonObject, key: string, value: JsonValue): void {
  const own = adopted(value, { keepNulls: false });
  if (own === undefined) delete merged[key];
  else setOwn(merged, key, own);
}

function deleteFromList({ merged, schema, depth }: ObjectMerge, directive: string, removed: JsonValue): void {
  const key = listNameIn(directive, deletionListPrefix);
  const current = getOwn(merged, key);
  if (removed === null) delete merged[key];
  if (!Array.isArray(current) || !Array.isArray(removed)) return;
  const field = fieldOf(schema, key);
  setOwn(merged, key, [...withoutElements(current, removed, field.mergeKey, mergeElementOf(field, depth))]);
}

/** Lists whose order the patch sets are merged first and together with their order, and then taken off the patch. */
function mergeOrderedLists(merge: ObjectMerge): void {
  for (const directive of Object.keys(merge.members)) {
    if (!directive.startsWith(elementOrderPrefix)) continue;
    const order = merge.members[directive] ?? null;
    delete merge.members[directive];
    if (!Array.isArray(order)) throw wrongType('list', order);
    mergeOrderedList(merge, listNameIn(directive, elementOrderPrefix), order);
  }
}

function mergeOrderedList({ merged, members, schema, depth }: ObjectMerge, key: string, order: List): void {
  const original = listOf(merged, key);
  const patch = listOf(members, key);
  const field = fieldOf(schema, key);
  checkOrder(patch ?? [], order, field.mergeKey);
  if (original === undefined && patch === undefined) return;
  const contents = orderedContents(original, patch, field, depth);
  if (field.mergeKey !== undefined) checkElementsAreObjects(order);
  const ordered = inOrder(contents, order, original ?? [], field.mergeKey);
  elementKind(original ?? [], patch ?? []);
  setOwn(merged, key, [...ordered]);
  delete members[key];
}

function orderedContents(original: List | undefined, patch: List | undefined, field: PatchField, depth: number): List {
  if (patch === undefined) return original ?? [];
  if (original === undefined) return adoptedElements(patch, { keepNulls: true });
  if (strategyOf(field) !== 'merge') return patch;
  return mergeLists(original, patch, field.mergeKey, mergeElementOf(field, depth));
}

/**
 * The elements of the patch must stand in the order list, and in the same order. Those that are deleted need not; those
 * with another directive are passed over, but not behind the order's end: Kubernetes' loop has ended there.
 */
function checkOrder(patch: List, order: List, mergeKey: string | undefined): void {
  if (patch.length === 0 || order.length === 0) return;
  const idOf = (element: JsonValue) => identity(mergeKey === undefined ? element : keyOf(element, mergeKey));
  const ordered = patch.filter((element) => markerOf(element) !== 'delete');
  let next = 0;
  for (const place of order) {
    while (markerOf(ordered[next]) !== undefined) next += 1;
    const element = ordered[next];
    if (element === undefined) return;
    if (idOf(element) === idOf(place)) next += 1;
  }
  if (next < ordered.length) throw orderMismatch(patch, order);
}

function markerOf(element: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(element) ? getOwn(element, patchMarker) : undefined;
}

function orderMismatch(patch: List, order: List): PatchError {
  const lists = `${goPrint([...patch])}\n doesn't match ${elementOrderPrefix} list:\n${goPrint([...order])}\n`;
  return unexpected(`The order in patch list:\n${lists}`);
}

function checkElementsAreObjects(order: List): void {
  const odd = order.findIndex((element) => !isJsonObject(element));
  if (odd >= 0) throw unexpected(`value for key ${odd} is not a map`);
}

function listOf(object: JsonObject, key: string): List | undefined {
  const value = getOwn(object, key);
  if (value === undefined || Array.isArray(value)) return value;
  throw wrongType('list', value);
}

function fieldOf(schema: PatchSchema | undefined, key: string): PatchField {
  const field = schema?.field(key);
  if (field !== undefined) return field;
  if (schema?.name === undefined) {
    throw unexpected('merging an object in json but data type is not struct, instead is: map');
  }
  throw unexpected(`unable to find api field in struct ${schema.name} for the json field "${key}"`);
}

function strategyOf({ strategies }: PatchField): PatchStrategy | undefined {
  return strategies.find((strategy) => strategy !== 'retainKeys');
}

function mergeElementOf({ schema }: PatchField, depth: number): MergeElement {
  return (original, patch) => mergeObject(original, patch, schema, depth + 1);
}
