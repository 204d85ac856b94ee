import { setOwn } from '../json/own-property.ts';
import { isJsonObject, JsonFloat } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkPatchDepth } from './patch-error.ts';

export function deepCopy(value: JsonValue, depth = 0): JsonValue {
  checkPatchDepth(depth);
  if (Array.isArray(value)) return value.map((element) => deepCopy(element, depth + 1));
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, child] of Object.entries(value)) {
    if (child !== undefined) setOwn(copy, key, deepCopy(child, depth + 1));
  }
  return copy;
}

/** Equality of what was written: `1` is not `1.0`, and the order of members does not matter. */
export function jsonEquals(left: JsonValue, right: JsonValue, depth = 0): boolean {
  checkPatchDepth(depth);
  if (left === right) return true;
  if (left instanceof JsonFloat) return right instanceof JsonFloat && left.value === right.value;
  if (Array.isArray(left)) return Array.isArray(right) && listsEqual(left, right, depth);
  return isJsonObject(left) && isJsonObject(right) && objectsEqual(left, right, depth);
}

function listsEqual(left: readonly JsonValue[], right: readonly JsonValue[], depth: number): boolean {
  if (left.length !== right.length) return false;
  return left.every((element, index) => jsonEquals(element, right[index] ?? null, depth + 1));
}

function objectsEqual(left: JsonObject, right: JsonObject, depth: number): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && jsonEquals(left[key] ?? null, right[key] ?? null, depth + 1));
}
