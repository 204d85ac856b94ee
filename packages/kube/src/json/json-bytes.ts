/**
 * Finds values in the bytes of a JSON text without parsing it. The text must be valid and compact, as
 * `stringifyJson` prints it.
 */
import { stringifyJson } from './stringify-json.ts';

export interface MemberBytes {
  /** Includes its quotes and escapes. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the end of a value. `key` is that of its member. */
type FindEnd = (bytes: Buffer, start: number, key: string) => number;

/** The members of the object at `at`, and its end. A caller that inspects values passes its own `findEnd`. */
export function membersOf(
  bytes: Buffer,
  at: number,
  findEnd: FindEnd = endOfValue,
): { readonly members: MemberBytes[]; readonly end: number } {
  const members: MemberBytes[] = [];
  let next = at + 1;
  while (bytes[next] === quote) {
    const keyEnd = endOfString(bytes, next);
    const key = textOf(bytes, next, keyEnd);
    const end = findEnd(bytes, keyEnd + 1, key);
    members.push({ key, start: keyEnd + 1, end });
    next = end + 1;
  }
  return { members, end: members.length === 0 ? at + 2 : next };
}

/** Start of a member's value; undefined if the object at `at` has no such member. */
export function memberOf(bytes: Buffer, at: number, name: string): number | undefined {
  const wanted = stringifyJson(name);
  for (let next = at + 1; bytes[next] === quote;) {
    const keyEnd = endOfString(bytes, next);
    if (textOf(bytes, next, keyEnd) === wanted) return keyEnd + 1;
    next = endOfValue(bytes, keyEnd + 1) + 1;
  }
  return undefined;
}

/** The starts of the elements of the array at `at`. */
export function* elementsOf(bytes: Buffer, at: number): Generator<number, void> {
  if (bytes[at + 1] === closeBracket) return;
  for (let next = at + 1; ;) {
    yield next;
    const end = endOfValue(bytes, next);
    if (bytes[end] !== comma) return;
    next = end + 1;
  }
}

const quote = '"'.charCodeAt(0);
const backslash = '\\'.charCodeAt(0);
const comma = ','.charCodeAt(0);
const openBrace = '{'.charCodeAt(0);
const closeBrace = '}'.charCodeAt(0);
const openBracket = '['.charCodeAt(0);
const closeBracket = ']'.charCodeAt(0);

/** The end of the value at `start`. */
export function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at) - 1;
      if (depth === 0) return at + 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (--depth <= 0) return depth < 0 ? at : at + 1;
    } else if (byte === comma && depth === 0) {
      return at;
    }
  }
  return bytes.length;
}

/** Scans short strings here. For longer ones the engine's `indexOf` is several times faster. */
const shortLength = 24;

function endOfString(bytes: Buffer, start: number): number {
  const short = Math.min(start + shortLength, bytes.length);
  for (let at = start + 1; at < short; at++) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) return endOfLongString(bytes, at);
  }
  return endOfLongString(bytes, short);
}

function endOfLongString(bytes: Buffer, from: number): number {
  for (let end = bytes.indexOf(quote, from); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return bytes.length;
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end);
}
