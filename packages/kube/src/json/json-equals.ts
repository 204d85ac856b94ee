import { isJsonObject, JsonFloat, SpelledNumber, type JsonObject, type JsonValue } from './value.ts';

type Pair = readonly [left: JsonValue, right: JsonValue];

/** Deeper values are compared by a loop, because users control the depth of JSON. Recursion allocates nothing. */
const maxRecursion = 100;

/** Compares what was written: `1` differs from `1.0`, and the order of keys does not matter. */
export function jsonEquals(left: JsonValue, right: JsonValue): boolean {
  return areEqual(left, right, areFloatsEqual, 0);
}

/** Compares the text of floats, too: `1e21` differs from `1e+21`. */
export function jsonTextEquals(left: JsonValue, right: JsonValue): boolean {
  return areEqual(left, right, areFloatsSpelledAlike, 0);
}

type FloatEquality = (left: JsonFloat, right: JsonFloat) => boolean;

const areFloatsEqual: FloatEquality = (left, right) =>
  left instanceof SpelledNumber || right instanceof SpelledNumber
    ? left.literal === right.literal
    : left.value === right.value;
const areFloatsSpelledAlike: FloatEquality = (left, right) => left.literal === right.literal;

function areEqual(left: JsonValue, right: JsonValue, compareFloats: FloatEquality, depth: number): boolean {
  if (left === right) return true;
  if (left instanceof JsonFloat) return right instanceof JsonFloat && compareFloats(left, right);
  if (depth > maxRecursion) return areEqualByLoop(left, right, compareFloats);
  if (!Array.isArray(left)) {
    return isJsonObject(left) && isJsonObject(right) && areObjectsEqual(left, right, compareFloats, depth + 1);
  }
  if (!Array.isArray(right) || left.length !== right.length) return false;
  for (const [index, item] of left.entries())
    if (!areEqual(item, right[index] ?? null, compareFloats, depth + 1)) return false;
  return true;
}

function areObjectsEqual(left: JsonObject, right: JsonObject, compareFloats: FloatEquality, depth: number): boolean {
  let more = 0;
  for (const key in left) {
    more++;
    if (!Object.hasOwn(right, key)) return false;
    if (!areEqual(left[key] ?? null, right[key] ?? null, compareFloats, depth)) return false;
  }
  for (const _ in right) more--;
  return more === 0;
}

function areEqualByLoop(left: JsonValue, right: JsonValue, compareFloats: FloatEquality): boolean {
  const pending: Pair[] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (!isAlike(pair, pending, compareFloats)) return false;
  }
  return true;
}

/** Compares two values without their children, which it adds to `pending`. */
function isAlike([left, right]: Pair, pending: Pair[], compareFloats: FloatEquality): boolean {
  if (left === right) return true;
  if (left instanceof JsonFloat) return right instanceof JsonFloat && compareFloats(left, right);
  if (Array.isArray(left)) return Array.isArray(right) && areListsAlike(left, right, pending);
  return isJsonObject(left) && isJsonObject(right) && areObjectsAlike(left, right, pending);
}

function areListsAlike(left: readonly JsonValue[], right: readonly JsonValue[], pending: Pair[]): boolean {
  if (left.length !== right.length) return false;
  return left.every((element, index) => compareLater(element, right[index] ?? null, pending));
}

function areObjectsAlike(left: JsonObject, right: JsonObject, pending: Pair[]): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && compareLater(left[key] ?? null, right[key] ?? null, pending));
}

/** Compares scalars at once. */
function compareLater(left: JsonValue, right: JsonValue, pending: Pair[]): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  pending.push([left, right]);
  return true;
}
