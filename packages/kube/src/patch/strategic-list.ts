/** Merges a list of a strategic merge patch into the list of an object. */
import { getOwn } from '../json/untrusted.ts';
import { isJsonObject, JsonFloat } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { goPrint, goTypeName } from './go-print.ts';
import { PatchError } from './patch-error.ts';
import { patchMarker, unexpected, unknownPatchType, wrongType } from './strategic-directives.ts';

export type List = readonly JsonValue[];

/** Merges two objects with the same merge key. The caller knows their schema. */
export type MergeElement = (original: JsonObject, patch: JsonObject) => JsonObject;

export function mergeLists(
  original: List,
  patch: List,
  mergeKey: string | undefined,
  mergeElement: MergeElement,
): List {
  if (original.length === 0 && patch.length === 0) return original;
  if (elementKind(original, patch) === 'scalar') {
    return inOrder(
      [...new Map([...original, ...patch].map((value) => [identity(value), value])).values()],
      patch,
      original,
    );
  }
  if (mergeKey === undefined) throw unexpected('cannot merge lists without merge key for struct');
  const { base, additions } = applyMarkedElements(original, patch, mergeKey);
  const merged = mergeObjects(base, additions, mergeKey, mergeElement);
  return inOrder(merged, additions, base, mergeKey);
}

/** Applies `$deleteFromPrimitiveList`. On a list of objects it is an ordinary merge. */
export function withoutElements(
  original: List,
  removed: List,
  mergeKey: string | undefined,
  mergeElement: MergeElement,
): List {
  if (original.length === 0 && removed.length === 0) return original;
  if (elementKind(original, removed) === 'object') return mergeLists(original, removed, mergeKey, mergeElement);
  const gone = new Set(removed.map(identity));
  return original.filter((value) => !gone.has(identity(value)));
}

/**
 * Elements in `order` have that order. The others keep their position relative to elements of `original`, and come
 * after new ones. In combined patches, deletions come last.
 */
export function inOrder(merged: List, order: List, original: List, mergeKey?: string): List {
  const identify = (element: JsonValue) => identity(mergeKey === undefined ? element : keyOf(element, mergeKey));
  const wanted = positions(order, identify);
  const before = positions(original, identify);
  const byPosition = (places: ReadonlyMap<unknown, number>) => (left: JsonValue, right: JsonValue) =>
    isDeletion(left) || isDeletion(right)
      ? Number(isDeletion(left)) - Number(isDeletion(right))
      : (places.get(identify(left)) ?? -1) - (places.get(identify(right)) ?? -1);
  const named = merged.filter((element) => wanted.has(identify(element))).sort(byPosition(wanted));
  const others = merged.filter((element) => !wanted.has(identify(element))).sort(byPosition(before));
  return interleave(others, named, (element) => before.get(identify(element)));
}

function isDeletion(element: JsonValue): boolean {
  return isJsonObject(element) && getOwn(element, patchMarker) === 'delete';
}

/** All elements of both lists must have one Go type. */
export function elementKind(original: List, patch: List): 'object' | 'scalar' {
  const elements = [...original, ...patch];
  const [first] = elements;
  if (first === undefined) throw unexpected('no elements in any of the given slices');
  if (Array.isArray(first)) throw new PatchError('inapplicable', 'lists of lists are not supported');
  const type = goTypeName(first);
  if (elements.some((element) => goTypeName(element) !== type)) {
    throw unexpected(`list element types are not identical: ${goPrint([[...original], [...patch]])}`);
  }
  return isJsonObject(first) ? 'object' : 'scalar';
}

/** The value of an element's merge key. Throws if there is none. */
export function keyOf(element: JsonValue, mergeKey: string): JsonValue {
  if (!isJsonObject(element)) throw wrongType('object', element);
  const key = getOwn(element, mergeKey);
  if (key === undefined) {
    throw unexpected(`map: ${goPrint(element)} does not contain declared merge key: ${mergeKey}`);
  }
  return key;
}

/** Equal for equal scalars of one type. Objects and lists equal only themselves. */
export function identity(value: JsonValue): unknown {
  if (value instanceof JsonFloat) return `float ${value.value}`;
  if (typeof value === 'string') return `string ${value}`;
  return value;
}

/** Elements with `$patch` delete their match, or make the rest of the patch the whole list. */
function applyMarkedElements(original: List, patch: List, mergeKey: string): { base: List; additions: List } {
  const additions: JsonValue[] = [];
  const deleted = new Set<unknown>();
  let replaces = false;
  for (const element of patch) {
    if (!isJsonObject(element) || !Object.hasOwn(element, patchMarker)) {
      additions.push(element);
    } else if (element[patchMarker] === 'delete') {
      deleted.add(identity(keyOf(element, mergeKey)));
    } else if (element[patchMarker] === 'replace') {
      replaces = true;
    } else {
      throw unsupportedMarker(element);
    }
  }
  if (replaces) return { base: additions, additions: [] };
  const isKept = (element: JsonValue) => !isJsonObject(element) || !deleted.has(keyIdentity(element, mergeKey));
  return { base: deleted.size === 0 ? original : original.filter(isKept), additions };
}

function unsupportedMarker(element: JsonObject): PatchError {
  const directive = element[patchMarker] ?? null;
  if (directive === 'merge') return unexpected('merging lists cannot yet be specified in the patch');
  return unknownPatchType(directive, element);
}

function mergeObjects(base: List, additions: List, mergeKey: string, mergeElement: MergeElement): List {
  const merged = [...base];
  const places = new Map<unknown, number>();
  merged.forEach((element, place) => {
    const key = isJsonObject(element) ? keyIdentity(element, mergeKey) : undefined;
    if (key !== undefined && !places.has(key)) places.set(key, place);
  });
  for (const addition of additions) {
    const key = identity(keyOf(addition, mergeKey));
    const place = places.get(key);
    const current = place === undefined ? undefined : merged[place];
    if (place === undefined || !isJsonObject(current) || !isJsonObject(addition)) {
      places.set(key, merged.push(addition) - 1);
    } else {
      merged[place] = mergeElement(current, addition);
    }
  }
  return merged;
}

/** Undefined for an element without the key, which matches nothing. */
function keyIdentity(element: JsonObject, mergeKey: string): unknown {
  const key = getOwn(element, mergeKey);
  return key === undefined ? undefined : identity(key);
}

function positions(list: List, identify: (element: JsonValue) => unknown): ReadonlyMap<unknown, number> {
  const places = new Map<unknown, number>();
  list.forEach((element, place) => {
    const id = identify(element);
    if (!places.has(id)) places.set(id, place);
  });
  return places;
}

/** Takes from `left` only while its next element was before the next element of `right`. */
function interleave(left: List, right: List, placeOf: (element: JsonValue) => number | undefined): List {
  const all: JsonValue[] = [];
  let next = 0;
  for (const element of right) {
    const limit = placeOf(element);
    for (; next < left.length; next += 1) {
      const candidate = left[next] ?? null;
      const place = placeOf(candidate);
      if (limit === undefined || place === undefined || place >= limit) break;
      all.push(candidate);
    }
    all.push(element);
  }
  return [...all, ...left.slice(next)];
}
