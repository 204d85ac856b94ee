/** Strategic merge patch: a merge patch with the schema of a kind, which merges lists by key, and with directives. */
import { jsonEquals } from '../json/json-equals.ts';
import { getOwn, setOwn } from '../json/untrusted.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { goPrint } from './go-print.ts';
import { notAnObject } from './merge-patch.ts';
import { checkPatchDepth, PatchError } from './patch-error.ts';
import { fieldOf, strategyOf, type PatchField, type PatchSchema } from './patch-schema.ts';
import {
  newValue,
  newElements,
  deletionListPrefix,
  elementOrderPrefix,
  listNameIn,
  applyPatchMarker,
  patchMarker,
  retainedKeys,
  retainKeysMarker,
  unexpected,
  wrongType,
} from './strategic-directives.ts';
import {
  elementKind,
  identity,
  inOrder,
  keyOf,
  mergeLists,
  withoutElements,
  type List,
  type MergeElement,
} from './strategic-list.ts';

/** A body of `null` changes nothing. */
export function decodeStrategicMergePatch(patch: JsonValue): JsonObject {
  if (patch === null) return {};
  if (!isJsonObject(patch)) throw new PatchError('malformed', notAnObject(patch));
  return patch;
}

export function applyStrategicMergePatch(original: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  return mergeObject(original, patch, { schema, directives: 'applied', depth: 0 });
}

/** Combines two patches into one. If both set a field, the second wins. */
export function combineStrategicPatches(first: JsonObject, second: JsonObject, schema: PatchSchema): JsonObject {
  return mergeObject(first, second, { schema, directives: 'kept', depth: 0 });
}

/**
 * The schema at the current depth. Directives are applied if the first value is an object, and kept if it is a
 * patch.
 */
interface Context {
  readonly schema: PatchSchema | undefined;
  readonly directives: 'applied' | 'kept';
  readonly depth: number;
}

function mergeObject(original: JsonObject, patch: JsonObject, context: Context): JsonObject {
  checkPatchDepth(context.depth);
  if (Object.hasOwn(patch, patchMarker)) return applyPatchMarker(patch);
  const { [retainKeysMarker]: retain, ...members } = patch;
  const merged = retain === undefined ? { ...original } : retaining(original, retain, members, context);
  const merge: ObjectMerge = { ...context, merged, members };
  mergeOrderedLists(merge);
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue;
    if (key.startsWith(deletionListPrefix)) deleteFromList(merge, key, value);
    else mergeMember(merge, key, value);
  }
  return merged;
}

/** The result so far, and the members of the patch that remain. */
interface ObjectMerge extends Context {
  readonly merged: JsonObject;
  readonly members: JsonObject;
}

function retaining(
  original: JsonObject,
  directive: JsonValue,
  members: JsonObject,
  { directives }: Context,
): JsonObject {
  if (directives === 'kept')
    return { ...original, [retainKeysMarker]: requireSame(original, retainKeysMarker, directive) };
  const retained = retainedKeys(directive, members);
  const kept = { ...original };
  for (const key of Object.keys(kept)) if (!retained.has(key)) delete kept[key];
  return kept;
}

/** Two patches of one object must have the same directive. */
function requireSame(first: JsonObject, directive: string, second: JsonValue): JsonValue {
  const other = getOwn(first, directive);
  if (other === undefined || jsonEquals(other, second)) return second;
  throw unexpected(`${goPrint(other)} and ${goPrint(second)} are not deep equal`);
}

function mergeMember(merge: ObjectMerge, key: string, value: JsonValue): void {
  const { merged, schema, directives } = merge;
  const current = getOwn(merged, key);
  if (value === null) {
    if (directives === 'kept') setOwn(merged, key, null);
    else delete merged[key];
  } else if (isJsonObject(current) && isJsonObject(value)) {
    const field = fieldOf(schema, key);
    const replaces = strategyOf(field) === 'replace';
    setOwn(merged, key, replaces ? value : mergeElementOf(field, merge)(current, value));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const field = fieldOf(schema, key);
    const merges = strategyOf(field) === 'merge';
    setOwn(merged, key, merges ? [...mergeLists(current, value, field.mergeKey, mergeElementOf(field, merge))] : value);
  } else {
    setNewValue(merge, key, value);
  }
}

function setNewValue({ merged, directives }: ObjectMerge, key: string, value: JsonValue): void {
  const own = newValue(value, { keepNulls: directives === 'kept' });
  if (own === undefined) delete merged[key];
  else setOwn(merged, key, own);
}

function deleteFromList(merge: ObjectMerge, directive: string, removed: JsonValue): void {
  const { merged, schema, directives } = merge;
  if (directives === 'kept') {
    setOwn(merged, directive, removed);
    return;
  }
  const key = listNameIn(directive, deletionListPrefix);
  const current = getOwn(merged, key);
  if (removed === null) delete merged[key];
  if (!Array.isArray(current) || !Array.isArray(removed)) return;
  const field = fieldOf(schema, key);
  setOwn(merged, key, [...withoutElements(current, removed, field.mergeKey, mergeElementOf(field, merge))]);
}

/** Merges lists with an order directive first, and removes both from the patch. */
function mergeOrderedLists(merge: ObjectMerge): void {
  for (const directive of Object.keys(merge.members)) {
    if (!directive.startsWith(elementOrderPrefix)) continue;
    const order = merge.members[directive] ?? null;
    delete merge.members[directive];
    if (!Array.isArray(order)) throw wrongType('list', order);
    if (merge.directives === 'kept') merge.merged[directive] = requireSame(merge.merged, directive, order);
    mergeOrderedList(merge, listNameIn(directive, elementOrderPrefix), order);
  }
}

function mergeOrderedList(merge: ObjectMerge, key: string, order: List): void {
  const { merged, members, schema } = merge;
  const original = listOf(merged, key);
  const patch = listOf(members, key);
  const field = fieldOf(schema, key);
  checkOrder(patch ?? [], order, field.mergeKey);
  if (original === undefined && patch === undefined) return;
  const contents = orderedContents(original, patch, field, merge);
  if (field.mergeKey !== undefined) checkElementsAreObjects(order);
  const ordered = inOrder(contents, order, original ?? [], field.mergeKey);
  elementKind(original ?? [], patch ?? []);
  setOwn(merged, key, [...ordered]);
  delete members[key];
}

function orderedContents(
  original: List | undefined,
  patch: List | undefined,
  field: PatchField,
  merge: ObjectMerge,
): List {
  if (patch === undefined) return original ?? [];
  if (original === undefined) return newElements(patch, { keepNulls: true });
  if (strategyOf(field) !== 'merge') return patch;
  return mergeLists(original, patch, field.mergeKey, mergeElementOf(field, merge));
}

/**
 * The order list must contain the elements of the patch in the same order. Deleted elements may be missing. Elements
 * with another directive are skipped, except after the end of the order list, where Kubernetes' loop has ended.
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

function mergeElementOf({ schema }: PatchField, { directives, depth }: ObjectMerge): MergeElement {
  return (original, patch) => mergeObject(original, patch, { schema, directives, depth: depth + 1 });
}
