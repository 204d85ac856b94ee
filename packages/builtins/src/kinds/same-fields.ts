import { isJsonObject, JsonFloat, type JsonValue } from '@flotilla/kube';

/**
 * Compares parts of objects as Kubernetes does: an absent list or map equals an empty one, and the order of members
 * does not matter.
 */
export function sameFields(left: unknown, right: unknown): boolean {
  return sameValues(left as JsonValue | undefined, right as JsonValue | undefined);
}

function sameValues(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isEmpty(left) && isEmpty(right)) return true;
  if (left instanceof JsonFloat || right instanceof JsonFloat) return numberOf(left) === numberOf(right);
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((element, index) => sameValues(element, right[index]));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => sameValues(ownValue(left, key), ownValue(right, key)));
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every((member) => member === undefined);
}

function numberOf(value: JsonValue | undefined): JsonValue | undefined {
  return value instanceof JsonFloat ? value.value : value;
}

function ownValue(object: Readonly<Record<string, JsonValue | undefined>>, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
