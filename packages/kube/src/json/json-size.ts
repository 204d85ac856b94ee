import { stringifyJson } from './stringify-json.ts';
import { JsonFloat, type JsonValue } from './value.ts';

/**
 * Bytes of a value as compact JSON. Stops early at a value that exceeds the limit: then the result is larger than the limit, and
 * no more exact. Iterative, because users control the depth of JSON.
 */
export function jsonSize(value: JsonValue, limit: number = Number.POSITIVE_INFINITY): number {
  const pending: JsonValue[] = [value];
  let bytes = 0;
  for (let next = pending.pop(); next !== undefined && bytes <= limit; next = pending.pop()) {
    bytes += ownSize(next, pending);
  }
  return bytes;
}

/** As many bytes as an escape takes, the longest form of a character. */
export const maxPerCharacter = 6;

/** More than any number has that is not kept as text. */
const maxNumberBytes = 25;

/**
 * About the bytes of a value as compact JSON, if all texts are ASCII and need no escapes. The printed value has `maxPerCharacter` times
 * as many at most. Takes a tenth of the time of the exact size.
 */
export function plainJsonSize(value: JsonValue): { readonly bytes: number; readonly hasEmptyList: boolean } {
  const pending: JsonValue[] = [value];
  let bytes = 0;
  let hasEmptyList = false;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    // With the comma after it.
    bytes += 3;
    if (typeof next === 'string') {
      bytes += next.length;
    } else if (typeof next !== 'object' || next === null) {
      bytes += typeof next === 'bigint' ? String(next).length : typeof next === 'number' ? maxNumberBytes : 4;
    } else if (next instanceof JsonFloat) {
      bytes += next.literal.length + maxNumberBytes;
    } else if (Array.isArray(next)) {
      if (next.length === 0) hasEmptyList = true;
      for (const item of next) pending.push(item);
    } else {
      for (const key in next) {
        const member = next[key];
        if (member === undefined) continue;
        bytes += key.length + 3;
        pending.push(member);
      }
    }
  }
  return { bytes, hasEmptyList };
}

/** Bytes of a string as JSON, with its quotes. */
export function jsonTextSize(text: string): number {
  return isPlain.test(text) ? text.length + 2 : Buffer.byteLength(stringifyJson(text));
}

/** ASCII without anything to escape. */
const isPlain = /^[ !#-[\]-~]*$/;

/** Without its children, which it adds to `pending`. */
function ownSize(value: JsonValue, pending: JsonValue[]): number {
  if (typeof value === 'string') return jsonTextSize(value);
  if (typeof value !== 'object' || value === null) return String(value).length;
  if (value instanceof JsonFloat) return stringifyJson(value).length;
  if (Array.isArray(value)) {
    for (const element of value) pending.push(element);
    return Math.max(2, value.length + 1);
  }
  let bytes = 2;
  let members = 0;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    members++;
    bytes += jsonTextSize(key) + 1;
    pending.push(inner);
  }
  return bytes + Math.max(0, members - 1);
}
