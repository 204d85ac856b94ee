/**
 * JSON merge patch (RFC 7386) as kube-apiserver implements it. Beyond the RFC, it drops nulls from objects in a
 * list, if that list replaces anything but an object.
 */
import { jsonEquals } from '../json/json-equals.ts';
import { getOwn, setOwn, withSortedKeys } from '../json/untrusted.ts';
import { isJsonObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { jsonTypeName } from './json-patch-operation.ts';
import { checkPatchDepth, PatchError } from './patch-error.ts';

/**
 * Accepts objects and, with `fieldValidation` Ignore, lists. A list is the whole result, which decodes to no
 * Kubernetes kind.
 */
export function decodeMergePatch(patch: JsonValue, strict: boolean): JsonObject | JsonValue[] {
  if (isJsonObject(patch)) return patch;
  if (strict && patch !== null) throw new PatchError('malformed', `error decoding patch: ${notAnObject(patch)}`);
  if (Array.isArray(patch)) return patch;
  throw new PatchError('malformed', 'Invalid JSON Patch');
}

/** Go's error for a patch body that is not an object. */
export function notAnObject(patch: JsonValue): string {
  return `json: cannot unmarshal ${jsonTypeName(patch)} into Go value of type map[string]interface {}`;
}

export function applyMergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  return isJsonObject(target) && isJsonObject(patch) ? mergeObjects(target, patch, 0) : withoutNulls(patch, 0);
}

/** Whether the patch changes the target; also true of a list that differs only in members that are null. Copies nothing. */
export function mergePatchChanges(target: JsonValue | undefined, patch: JsonValue, depth = 0): boolean {
  checkPatchDepth(depth);
  if (!isJsonObject(patch)) return target === undefined || !jsonEquals(target, patch);
  if (!isJsonObject(target)) return true;
  return Object.entries(patch).some(([key, value]) => {
    if (value === undefined) return false;
    const current = getOwn(target, key);
    return value === null ? current !== undefined : mergePatchChanges(current, value, depth + 1);
  });
}

/** Merged objects have sorted keys, as in Kubernetes' errors about the result. */
function mergeObjects(target: JsonObject, patch: JsonObject, depth: number): JsonObject {
  checkPatchDepth(depth);
  const merged = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete merged[key];
    else setOwn(merged, key, mergeMember(getOwn(target, key), value, depth + 1));
  }
  return withSortedKeys(merged);
}

function mergeMember(current: JsonValue | undefined, patch: JsonValue, depth: number): JsonValue {
  if (!isJsonObject(current)) return withoutNulls(patch, depth);
  return isJsonObject(patch) ? mergeObjects(current, patch, depth) : patch;
}

/** Drops members that are null, and keeps elements that are null. */
function withoutNulls(value: JsonValue, depth: number): JsonValue {
  checkPatchDepth(depth);
  if (Array.isArray(value)) return value.map((element) => withoutNulls(element, depth + 1));
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (child !== undefined && child !== null) setOwn(kept, key, withoutNulls(child, depth + 1));
  }
  return withSortedKeys(kept);
}
