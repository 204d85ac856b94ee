import { isUtf8 } from 'node:buffer';
import { parseEvents, YAMLException, type Event } from 'js-yaml';
import { maxJsonDepth } from '../json/parse-json.ts';
import { buildDocument, type ParsedYaml, type YamlPositions } from './document-builder.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { YamlError, yamlErrorFrom } from './yaml-error.ts';

/** Parses the first document of a text as Kubernetes does, through JSON. Throws a YamlError or a JsonError. */
export function parseYaml(text: string): ParsedYaml {
  const document = firstDocument(text);
  return buildDocument(eventsOf(document), document);
}

export interface LocatedYaml extends ParsedYaml {
  /**
   * The line of the value at a path, counted from one. For a value in an object it is the line of its key. A path that does
   * not exist has the line of its longest part that does.
   */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

/** The same, for files of users: it finds the lines of values, and merge keys override nothing. */
export function parseYamlWithLines(text: string): LocatedYaml {
  const document = firstDocument(text);
  const positions: YamlPositions = new WeakMap();
  const parsed = buildDocument(eventsOf(document), document, positions);
  const newlines = newlinesIn(document);
  const lineOf = (path: readonly (string | number)[]): number =>
    lineAt(newlines, positionOf(parsed.value, path, positions));
  return { ...parsed, lineOf };
}

function positionOf(root: JsonValue, path: readonly (string | number)[], positions: YamlPositions): number {
  let value: JsonValue | undefined = root;
  let found = 0;
  for (const step of path) {
    if (!Array.isArray(value) && !isJsonObject(value)) break;
    const position = positions.get(value)?.get(step);
    if (position === undefined || position === -1) break;
    found = position;
    value = (value as { [step: string | number]: JsonValue | undefined })[step];
  }
  return found;
}

function newlinesIn(text: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found.push(at);
  return found;
}

/** One more than the newlines before the position. */
function lineAt(newlines: readonly number[], position: number): number {
  let low = 0;
  let high = newlines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((newlines[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

function eventsOf(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth: maxJsonDepth });
  } catch (error) {
    if (error instanceof YAMLException) throw yamlErrorFrom(error, text);
    // The library is recursive, so deep nesting exhausts the stack before it reaches the limit.
    if (error instanceof RangeError) throw new YamlError(`exceeded max depth of ${maxJsonDepth}`);
    throw error;
  }
}

/** The text before the marker of a second document. */
function firstDocument(text: string): string {
  let hasStarted = false;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline + 1;
    const isMarker = /^(?:---|\.\.\.)(?:\s|$)/.test(text.slice(at, at + 4));
    if (isMarker && hasStarted) return text.slice(0, at);
    hasStarted ||= isMarker || /^\s*[^\s#%]/.test(text.slice(at, end));
    at = end;
  }
  return text;
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Unlike the JSON decoder it is strict. Throws a YamlError. */
export function yamlText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16Text(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16Text(bytes, 'utf-16be');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!isUtf8(buffer)) throw new YamlError(utf8Fault(buffer));
  return buffer.toString('utf8');
}

function utf16Text(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new YamlError('incomplete UTF-16 character');
  }
}

/** The error of the first invalid sequence. */
function utf8Fault(bytes: Uint8Array): string {
  for (let at = 0; at < bytes.length;) {
    const width = widthOf(bytes[at] ?? 0);
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
    const sequence = bytes.subarray(at, at + width);
    if (sequence.subarray(1).some((byte) => (byte & 0xc0) !== 0x80)) return 'invalid trailing UTF-8 octet';
    if (!isUtf8(sequence))
      return isOverlong(sequence) ? 'invalid length of a UTF-8 sequence' : 'invalid Unicode character';
    at += width;
  }
  return 'invalid Unicode character';
}

function widthOf(first: number): number {
  if (first < 0x80) return 1;
  if ((first & 0xe0) === 0xc0) return 2;
  if ((first & 0xf0) === 0xe0) return 3;
  return (first & 0xf8) === 0xf0 ? 4 : 0;
}

/** A code point that fewer bytes could encode. */
function isOverlong([first = 0, second = 0]: Uint8Array): boolean {
  return first < 0xc2 || (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
}
