import { compareBytes } from '../go/format.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Users choose these keys: `constructor` must not find Object's, and `__proto__` must not set the prototype. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function setOwn(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** Sorts keys as Go's encoder sorts maps. */
export function withSortedKeys(object: JsonObject): JsonObject {
  const sorted: JsonObject = {};
  for (const key of Object.keys(object).sort(compareBytes)) {
    const value = object[key];
    if (value !== undefined) setOwn(sorted, key, value);
  }
  return sorted;
}

/** Appends to a list. Spreading into `push` would put each item on the stack, which a long list overflows. */
export function pushAll<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}
