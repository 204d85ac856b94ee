import { getOwn, setOwn } from '../json/untrusted.ts';
import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '../json/value.ts';
import { goPrint } from './go-print.ts';
import { applyMergePatch } from './merge-patch.ts';
import { checkPatchDepth, PatchError } from './patch-error.ts';
import type { PatchSchema } from './patch-schema.ts';
import { strategicDifference } from './strategic-difference.ts';
import { combineStrategicPatches } from './strategic-merge-patch.ts';

/**
 * `kubectl apply` for kinds without a known type: a JSON merge patch that sets what `modified` says and `current` does not,
 * and removes what `original` said and `modified` does not. The two halves cannot contradict each other, since whatever one
 * sets the other has seen in `modified`. A patch that touches one of the `unchangeable` fields is refused.
 */
export function createThreeWayMergePatch(
  { original, modified, current }: ThreeWaySides,
  unchangeable: readonly (readonly string[])[] = [],
): JsonObject {
  const settings = withoutRemovals(difference(current, modified, 0));
  const removals = onlyRemovals(difference(original, modified, 0));
  const patch = applyMergePatch(removals, settings);
  if (!isJsonObject(patch) || unchangeable.some((path) => touches(patch, path))) {
    throw new PatchError('unexpected', `precondition failed for: ${goPrint(patch)}`);
  }
  return patch;
}

/** The merge patch from one object to another. */
function difference(from: JsonObject, to: JsonObject, depth: number): JsonObject {
  checkPatchDepth(depth);
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(to)) {
    if (value === undefined) continue;
    const before = getOwn(from, key);
    if (isJsonObject(before) && isJsonObject(value)) {
      const inner = difference(before, value, depth + 1);
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    } else if (before === undefined || !isEqual(before, value, depth + 1)) {
      setOwn(patch, key, value);
    }
  }
  for (const key of Object.keys(from)) {
    if (from[key] !== undefined && getOwn(to, key) === undefined) setOwn(patch, key, null);
  }
  return patch;
}

function withoutRemovals(patch: JsonObject): JsonObject {
  return filtered(patch, (value) => value !== null, true);
}

function onlyRemovals(patch: JsonObject): JsonObject {
  return filtered(patch, (value) => value === null, false);
}

/** Objects of which nothing is left go too; one that was empty from the start is a value like any other. */
function filtered(patch: JsonObject, isKept: (value: JsonValue) => boolean, keepEmpty: boolean): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (!isJsonObject(value)) {
      if (isKept(value)) setOwn(kept, key, value);
    } else if (Object.keys(value).length === 0) {
      if (keepEmpty) setOwn(kept, key, value);
    } else {
      const inner = filtered(value, isKept, keepEmpty);
      if (Object.keys(inner).length > 0) setOwn(kept, key, inner);
    }
  }
  return kept;
}

function touches(patch: JsonObject, [name = '', ...deeper]: readonly string[]): boolean {
  if (!Object.hasOwn(patch, name)) return false;
  const value = patch[name];
  return deeper.length === 0 || (isJsonObject(value) && touches(value, deeper));
}

/** Equality of values: `1` and `1.0` are the same number here. */
function isEqual(left: JsonValue, right: JsonValue, depth: number): boolean {
  checkPatchDepth(depth);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, place) => isEqual(one, right[place] ?? null, depth + 1));
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    return keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key] ?? null, right[key] ?? null, depth + 1));
  }
  return plain(left) === plain(right);
}

function plain(value: JsonValue): JsonValue {
  return value instanceof JsonFloat ? value.value : value;
}

/** What a three-way patch is made of. */
export interface ThreeWaySides {
  /** What was applied last: only what it has and `modified` lacks is removed. */
  readonly original: JsonObject;
  /** What is to be applied. */
  readonly modified: JsonObject;
  /** What there is. */
  readonly current: JsonObject;
}

/**
 * The strategic merge patch of `kubectl apply`: sets what `modified` says and `current` does not, and removes what `original`
 * said and `modified` does not. What others have changed meanwhile is overwritten where `modified` speaks of it.
 */
export function createThreeWayStrategicPatch(sides: ThreeWaySides, schema: PatchSchema): JsonObject {
  const { original, modified, current } = sides;
  const settings = strategicDifference(current, modified, schema, 'settings');
  const removals = strategicDifference(original, modified, schema, 'removals');
  return combineStrategicPatches(removals, settings, schema);
}
