import { compareBytes } from '../go/format.ts';
import type { JsonObject, JsonValue } from './value.ts';

/** Users choose these keys, so `constructor` must not find Object's and `__proto__` must not set the prototype. */
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

/** Keys in the order of Go's encoder, which sorts maps. */
export function withSortedKeys(object: JsonObject): JsonObject {
  const sorted: JsonObject = {};
  for (const key of Object.keys(object).sort(compareBytes)) {
    const value = object[key];
    if (value !== undefined) setOwn(sorted, key, value);
  }
  return sorted;
}

/** Adds to a list. Spreading into `push` puts each item on the stack, which a list from a user can overflow. */
export function pushAll<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}
