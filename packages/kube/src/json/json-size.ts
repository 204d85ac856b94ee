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
const maxCharacterBytes = 6;
/** Of a number or a literal, with the comma after it. */
const maxScalarBytes = 32;

/**
 * Whether a value might take more bytes than the limit as compact JSON. Never wrong about values that do; a fraction of the cost of
 * their size.
 */
export function mayExceed(value: JsonValue, limit: number): boolean {
  const pending: JsonValue[] = [value];
  let left = limit;
  for (let next = pending.pop(); next !== undefined && left >= 0; next = pending.pop()) {
    if (typeof next === 'string') {
      left -= next.length * maxCharacterBytes + 3;
    } else if (typeof next !== 'object' || next === null) {
      left -= typeof next === 'bigint' ? String(next).length + 1 : maxScalarBytes;
    } else if (next instanceof JsonFloat) {
      left -= next.literal.length + maxScalarBytes;
    } else if (Array.isArray(next)) {
      left -= 3;
      for (const item of next) pending.push(item);
    } else {
      left -= 3;
      for (const key in next) {
        left -= key.length * maxCharacterBytes + 3;
        pending.push(next[key] ?? null);
      }
    }
  }
  return left < 0;
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
