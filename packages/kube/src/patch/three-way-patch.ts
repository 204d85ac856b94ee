import { getOwn, setOwn } from '../json/untrusted.ts';
import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '../json/value.ts';
import { goPrint } from './go-print.ts';
import { applyMergePatch } from './merge-patch.ts';
import { checkPatchDepth, PatchError } from './patch-error.ts';
import type { PatchSchema } from './patch-schema.ts';
import { strategicDifference } from './strategic-difference.ts';
import { combineStrategicPatches } from './strategic-merge-patch.ts';

/**
 * `kubectl apply` for kinds without a schema, as a JSON merge patch.
 * It sets what differs between `current` and
 * `modified`, and removes what is in `original` and not in `modified`. The two parts cannot conflict, because both
 * compare with `modified`. Throws if the patch touches one of the `unchangeable` fields.
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

/** Drops objects that become empty. An object that was empty is a value. */
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

/** Compares values: `1` equals `1.0`. */
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

/** The inputs of a three-way patch. */
export interface ThreeWaySides {
  /** The last applied configuration. Only fields that are in it and not in `modified` are removed. */
  readonly original: JsonObject;
  /** The configuration to apply. */
  readonly modified: JsonObject;
  /** The live object. */
  readonly current: JsonObject;
}

/**
 * The strategic merge patch of `kubectl apply`: sets what differs between `current` and `modified`, and removes what
 * is in `original` and not in `modified`. Overwrites changes of others in fields of `modified`.
 */
export function createThreeWayStrategicPatch(sides: ThreeWaySides, schema: PatchSchema): JsonObject {
  const { original, modified, current } = sides;
  const settings = strategicDifference(current, modified, schema, 'settings');
  const removals = strategicDifference(original, modified, schema, 'removals');
  return combineStrategicPatches(removals, settings, schema);
}
