import { isJsonObject, JsonFloat } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { checkPatchDepth } from './patch-error.ts';

/** A document could be copied into itself again and again. */
export function checkDepth(value: JsonValue | undefined, depth = 0): void {
  checkPatchDepth(depth);
  if (Array.isArray(value)) for (const element of value) checkDepth(element, depth + 1);
  else if (isJsonObject(value)) for (const child of Object.values(value)) checkDepth(child, depth + 1);
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
