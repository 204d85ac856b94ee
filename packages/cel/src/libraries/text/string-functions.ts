import { CelError, type CelList, type Result } from '../../value.ts';
import { ArrayList } from '../../values/list.ts';
import { codePointOf, codePoints, unitOf } from '../../values/size.ts';
import { valueText } from '../../values/value-text.ts';
import { endAtCostLimit, maxStringLength } from '../../values/work.ts';

export function charAt(text: string, index: bigint): Result {
  const unit = placeOf(text, index);
  if (unit === undefined) return outOfRange(index);
  return unit === text.length ? '' : String.fromCodePoint(text.codePointAt(unit) as number);
}

export function indexOf(text: string, part: string, from = 0n): Result {
  if (part === '') return from;
  if (from < 0n) return outOfRange(from);
  const start = placeOf(text, from);
  const found = start === undefined ? -1 : text.indexOf(part, start);
  return found < 0 ? -1n : BigInt(codePointOf(text, found));
}

export function lastIndexOf(text: string, part: string, from?: bigint): Result {
  if (part === '') return from ?? BigInt(codePoints(text));
  if (from === undefined) return lastPlace(text, part, text.length);
  if (from < 0n) return outOfRange(from);
  const start = placeOf(text, from);
  return start === undefined || start === text.length ? -1n : lastPlace(text, part, start);
}

function lastPlace(text: string, part: string, start: number): bigint {
  const found = text.lastIndexOf(part, start);
  return found < 0 ? -1n : BigInt(codePointOf(text, found));
}

export function substring(text: string, start: bigint, end?: bigint): Result {
  if (end !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  const from = placeOf(text, start);
  if (from === undefined) return outOfRange(start);
  const to = end === undefined ? text.length : placeOf(text, end);
  return to === undefined ? outOfRange(end as bigint) : text.slice(from, to);
}

/** The UTF-16 index; undefined if it is beyond the end. */
function placeOf(text: string, index: bigint): number | undefined {
  return index < 0n || index > BigInt(text.length) ? undefined : unitOf(text, Number(index));
}

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** White space as in Go: U+0085 is, U+FEFF is not. */
const spacePattern = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && spacePattern.test(text.charAt(start))) start++;
  while (end > start && spacePattern.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/**
 * Replaces the first `limit` occurrences, or all if that is negative. An empty text occurs before each character and
 * at the end.
 */
export function replace(text: string, old: string, replacement: string, limit = -1n): Result {
  const pieces = old === '' ? [...Array.from(text), ''] : text.split(old);
  const found = old === '' ? pieces.length : pieces.length - 1;
  const count = limit < 0n || limit > BigInt(found) ? found : Number(limit);
  if (text.length + count * replacement.length > maxStringLength) endAtCostLimit();
  if (old === '') return pieces.map((piece, i) => (i < count ? replacement + piece : piece)).join('');
  const unchanged = pieces.slice(count).join(old);
  return count === 0 ? unchanged : pieces.slice(0, count).join(replacement) + replacement + unchanged;
}

export function split(text: string, separator: string, limit = -1n): CelList {
  if (limit === 0n) return new ArrayList([]);
  const pieces = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || limit >= BigInt(pieces.length)) return new ArrayList(pieces);
  const kept = Number(limit) - 1;
  return new ArrayList([...pieces.slice(0, kept), pieces.slice(kept).join(separator)]);
}

export function join(list: CelList, separator = ''): Result {
  if (joinedSize(list, separator) > maxStringLength) endAtCostLimit();
  const pieces: string[] = [];
  for (let i = 0; i < list.size; i++) {
    const piece = list.at(i);
    if (piece instanceof CelError) return piece;
    if (typeof piece !== 'string') return new CelError(`join: invalid input: ${valueText(piece)}`);
    pieces.push(piece);
  }
  return pieces.join(separator);
}

/** The size of the joined text. Stops shortly after `maxStringLength`. */
export function joinedSize(list: CelList, separator: string): number {
  let size = Math.max(0, list.size - 1) * codePoints(separator);
  for (let i = 0; i < list.size && size <= maxStringLength; i++) {
    const piece = list.at(i);
    if (typeof piece === 'string') size += codePoints(piece);
  }
  return size;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** Quotes like a CEL literal: uses short escapes and keeps all other characters. */
export function quoteText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return `"${text.toWellFormed().replaceAll(/[\u0007\b\f\n\r\t\v\\"]/g, (character) => escapes.get(character) ?? character)}"`;
}
