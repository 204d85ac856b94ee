import { isPlain } from '../go/format.ts';
import { sortedKeys } from './copy-json.ts';
import { isJsonObject, JsonFloat, type JsonObject, type JsonValue } from './value.ts';

interface GoJsonOptions {
  /** Escapes `<`, `>` and `&`, which is Go's default. */
  readonly escapeHtml?: boolean;
  /** Go sorts the keys of maps, and keeps the order of struct fields. */
  readonly sortKeys?: boolean;
  /** Prints numbers as they were written, as Go does in a RawExtension. Elsewhere Go prints the float64. Default: true. */
  readonly keepSpelling?: boolean;
}

const htmlOrSeparatorPattern = /[<>&\u2028\u2029]/g;
const separatorPattern = /[\u2028\u2029]/g;

/** Deeper values are printed by a loop, because users control the depth of JSON. Recursion is three times as fast. */
const maxRecursion = 100;

/** Compact JSON as Go's encoder prints it. */
export function goJson(value: JsonValue, options: GoJsonOptions = {}): string {
  const { escapeHtml = true, sortKeys = true, keepSpelling = true } = options;
  return escaped(printed(value, { sortKeys, keepSpelling }, 0), escapeHtml);
}

type PrintOptions = Required<Pick<GoJsonOptions, 'sortKeys' | 'keepSpelling'>>;

function printed(value: JsonValue, options: PrintOptions, depth: number): string {
  if (typeof value !== 'object' || value === null || value instanceof JsonFloat) return printScalar(value, options);
  if (depth > maxRecursion) return printedByLoop(value, options);
  return Array.isArray(value) ? printedList(value, options, depth) : printedObject(value, options, depth);
}

function printedList(list: readonly JsonValue[], options: PrintOptions, depth: number): string {
  let text = '[';
  for (let index = 0; index < list.length; index++) {
    if (index > 0) text += ',';
    text += printed(list[index] as JsonValue, options, depth + 1);
  }
  return `${text}]`;
}

function printedObject(object: JsonObject, options: PrintOptions, depth: number): string {
  let text = '{';
  for (const key of options.sortKeys ? sortedKeys(object) : Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${quoted(key)}:${printed(value, options, depth + 1)}`;
  }
  return `${text}}`;
}

function printedByLoop(value: JsonValue, options: PrintOptions): string {
  const printing = beginPrinting(value, options);
  printPieces(printing, Infinity);
  return printing.pieces.join('');
}

/** The pieces of a chunk are mostly short; a long string is a piece of its own. */
const piecesPerChunk = 4096;

/** The same text in chunks, so that a caller with a large value can pause in between. */
export function* goJsonChunks(value: JsonValue, options: GoJsonOptions = {}): Generator<string, void> {
  const { escapeHtml = true } = options;
  const printing = beginPrinting(value, options);
  while (printing.isOpen) {
    printPieces(printing, piecesPerChunk);
    yield escaped(printing.pieces.join(''), escapeHtml);
    printing.pieces.length = 0;
  }
}

function escaped(text: string, escapeHtml: boolean): string {
  return escapeHtml ? escapeForHtml(text) : text.replace(separatorPattern, unicodeEscape);
}

/** Escapes a whole JSON text: these characters occur only inside strings. */
export function escapeForHtml(json: string): string {
  return mayNeedEscapes(json) ? json.replace(htmlOrSeparatorPattern, unicodeEscape) : json;
}

/** Most texts need none. Searching for single characters is several times faster than for a class of them. */
function mayNeedEscapes(json: string): boolean {
  return (
    json.includes('<') || json.includes('>') || json.includes('&') || json.includes('\u2028') || json.includes('\u2029')
  );
}

interface OpenContainer {
  readonly value: JsonValue[] | JsonObject;
  /** Absent for an array. */
  readonly keys: readonly string[] | undefined;
  next: number;
}

interface Printing extends PrintOptions {
  readonly pieces: string[];
  /** Iterative: ten thousand levels are legal and would overflow the stack. */
  readonly open: OpenContainer[];
  /** The next value to print; undefined if a container goes on. */
  value: JsonValue | undefined;
  /** Whether there is more to print. */
  isOpen: boolean;
}

function beginPrinting(value: JsonValue, { sortKeys = true, keepSpelling = true }: GoJsonOptions): Printing {
  return { sortKeys, keepSpelling, pieces: [], open: [], value, isOpen: true };
}

/** Stops after about this number of pieces. */
function printPieces(printing: Printing, maxPieces: number): void {
  const { pieces, open } = printing;
  while (pieces.length < maxPieces) {
    if (printing.value !== undefined) {
      const container = printOrOpen(printing.value, printing);
      if (container !== undefined) open.push(container);
    }
    const innermost = open.at(-1);
    if (innermost === undefined) {
      printing.isOpen = false;
      return;
    }
    if (innermost.next < (innermost.keys ?? (innermost.value as JsonValue[])).length) {
      printing.value = printNext(innermost, pieces);
    } else {
      pieces.push(innermost.keys === undefined ? ']' : '}');
      open.pop();
      printing.value = undefined;
    }
  }
}

function printOrOpen(value: JsonValue, printing: Printing): OpenContainer | undefined {
  const { pieces } = printing;
  if (Array.isArray(value)) {
    pieces.push('[');
    return { value, keys: undefined, next: 0 };
  }
  if (isJsonObject(value)) {
    pieces.push('{');
    const all = printing.sortKeys ? sortedKeys(value) : Object.keys(value);
    const keys = all.filter((key) => value[key] !== undefined);
    return { value, keys, next: 0 };
  }
  pieces.push(printScalar(value, printing));
  return undefined;
}

/** Prints the comma and key before the next value, and returns that value. */
function printNext(container: OpenContainer, pieces: string[]): JsonValue | undefined {
  const index = container.next++;
  if (index > 0) pieces.push(',');
  if (container.keys === undefined) return (container.value as JsonValue[])[index];
  const key = container.keys[index] ?? '';
  pieces.push(quoted(key), ':');
  return (container.value as JsonObject)[key];
}

type Scalar = null | boolean | number | bigint | string | JsonFloat;

function printScalar(value: Scalar, { keepSpelling }: PrintOptions): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'bigint') return value.toString();
  return !keepSpelling && value instanceof JsonFloat ? printFloat(value) : JSON.stringify(value);
}

/** Longer texts are searched for escapes faster by the engine. */
const maxShortLength = 64;

/** Most keys and names are short and need no escapes. */
function quoted(text: string): string {
  return text.length <= maxShortLength && isPlain(text) ? `"${text}"` : JSON.stringify(text.toWellFormed());
}

/** A number beyond a float64 keeps its text: Go could not read it. */
function printFloat({ literal }: JsonFloat): string {
  const value = Number(literal);
  if (!Number.isFinite(value)) return literal;
  // An integer has no sign of zero.
  return Object.is(value, -0) && literal !== '-0' ? '-0' : JSON.stringify(value);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
