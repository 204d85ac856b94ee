/** Equality and order of JSON values in structured merge diff: `1` equals `1.0`. */
import { compareBytes } from '../go/format.ts';
import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from '../json/value.ts';

type JsonNumber = number | bigint | JsonFloat;

export function isNumber(value: JsonValue | undefined): value is JsonNumber {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonFloat;
}

export function isScalar(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || isNumber(value);
}

export function equalValues(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a === 'string' || typeof b === 'string') return false;
  if (isNumber(a)) return isNumber(b) && compareNumbers(a, b) === 0;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  return isJsonObject(a) && isJsonObject(b) && equalMaps(a, b);
}

/** Numbers before strings, then booleans, lists, maps, null. */
export function compareValues(a: JsonValue, b: JsonValue): number {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isJsonObject(a) && isJsonObject(b)) return compareLists(sortedEntries(a), sortedEntries(b));
  return rank(a) - rank(b);
}

function rank(value: JsonValue): number {
  if (isNumber(value)) return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

/** Compares two integers exactly, and everything else as floats. */
function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  const left = a instanceof JsonFloat ? a.value : b instanceof JsonFloat ? Number(a) : a;
  const right = b instanceof JsonFloat ? b.value : a instanceof JsonFloat ? Number(b) : b;
  if (left === right) return 0;
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareLists(a: readonly JsonValue[], b: readonly JsonValue[]): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const order = compareValues(a[i] as JsonValue, b[i] as JsonValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Alternates keys and values, so that maps compare by key and then by value. */
function sortedEntries(map: JsonObject): JsonValue[] {
  return Object.entries(map)
    .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
    .sort(([a], [b]) => compareBytes(a, b))
    .flat();
}

function equalLists(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (!equalValues(a[i] as JsonValue, b[i] as JsonValue)) return false;
  }
  return true;
}

function equalMaps(a: JsonObject, b: JsonObject): boolean {
  let size = 0;
  for (const key in a) {
    const left = a[key];
    if (left === undefined) continue;
    const right = Object.hasOwn(b, key) ? b[key] : undefined;
    if (right === undefined || !equalValues(left, right)) return false;
    size++;
  }
  return size === sizeOf(b);
}

function sizeOf(map: JsonObject): number {
  let size = 0;
  for (const key in map) if (map[key] !== undefined) size++;
  return size;
}
