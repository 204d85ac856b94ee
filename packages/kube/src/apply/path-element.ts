/**
 * One element of a field path, stored as its FieldsV1 key. The keys are `f:name` (field or map entry), `k:{"name":"x"}` (item of
 * a list-map), `v:"x"` (item of a set), `i:0` (index). The text is canonical, so equal elements are equal strings.
 */
import { compareBytes, quote } from '../go/format.ts';
import { goJson } from '../json/go-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { compareValues } from './value-order.ts';

export type PathElement = string;
export type FieldPath = readonly PathElement[];

/** An invalid key of FieldsV1. */
export class InvalidPathElement extends Error {
  override readonly name = 'InvalidPathElement';
}

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${goJson(value)}`;
}

/** `fields` must be sorted by name. */
export function keyElement(fields: readonly (readonly [name: string, value: JsonValue])[]): PathElement {
  let text = 'k:{';
  for (const [name, value] of fields) text += `${text.length > 3 ? ',' : ''}${goJson(name)}:${goJson(value)}`;
  return `${text}}`;
}

export function fieldPath(...names: readonly string[]): FieldPath {
  return names.map(fieldElement);
}

export function isFieldElement(element: PathElement): boolean {
  return element.startsWith('f:');
}

export function isKeyElement(element: PathElement): boolean {
  return element.startsWith('k:');
}

/** The field of an `f:` element. */
export function fieldNameOf(element: PathElement): string {
  return element.slice(2);
}

/** The usual form of a key: one or two fields, with values that have a single spelling. */
const plainValuePattern = String.raw`(?:"[^"\\<>&\u2028\u2029\p{Cc}\p{Cs}]*"|0|-?[1-9]\d{0,14}|true|false)`;
const plainKeyPattern = new RegExp(
  String.raw`^k:\{"(\w+)":${plainValuePattern}(?:,"(\w+)":${plainValuePattern})?\}$`,
  'u',
);

/** A string with a single spelling, such as a finalizer. */
const plainStringPattern = /^v:"[^"\\<>&\u2028\u2029\p{Cc}\p{Cs}]*"$/u;

/**
 * Parses a key of FieldsV1. Returns undefined for an unknown kind of element, which a newer server may have written.
 */
export function parsePathElement(key: string): PathElement | undefined {
  if (key.startsWith('f:') || isPlainKey(key) || plainStringPattern.test(key)) return key;
  if (key.length < 2) throw new InvalidPathElement('key must be 2 characters long:');
  if (key[1] !== ':') throw new InvalidPathElement(`missing colon: ${key}`);
  switch (key.slice(0, 1)) {
    case 'v':
      return valueElement(parseJson(key.slice(2)));
    case 'k':
      return canonicalKey(parseJson(key.slice(2)));
    case 'i':
      return indexElement(key.slice(2));
    default:
      return undefined;
  }
}

/** Fields, then keys, then values, then indices; within a kind by content. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b) return 0;
  const kind = a.charCodeAt(0);
  const otherKind = b.charCodeAt(0);
  if (kind !== otherKind) return kindLetters.indexOf(a[0] ?? '') - kindLetters.indexOf(b[0] ?? '');
  if (kind === fieldLetter) return compareBytes(a, b);
  return compareInsideString(a, b) ?? compareContents(a, b);
}

/** An element as errors print it: `.spec`, `[name="x"]`, `[="x"]`, `[0]`. */
export function elementText(element: PathElement): string {
  const content = element.slice(2);
  switch (element.slice(0, 1)) {
    case 'f':
      return `.${content}`;
    case 'k':
      return `[${members(parseJson(content) as JsonObject).join(',')}]`;
    case 'v':
      return `[=${valueText(parseJson(content))}]`;
    default:
      return `[${content}]`;
  }
}

export function pathText(path: FieldPath): string {
  return path.map(elementText).join('');
}

const kindLetters = 'fkvi';
const fieldLetter = kindLetters.charCodeAt(0);
const quoteCode = 0x22;
const backslashCode = 0x5c;
const colonCode = 0x3a;
const commaCode = 0x2c;
const closingBraceCode = 0x7d;
const minusCode = 0x2d;
/** A double holds this many digits exactly. */
const maxDigits = 15;

/**
 * Most keys and values differ inside a string or integer at the same position. That difference decides without
 * parsing. Returns undefined if it does not.
 */
function compareInsideString(a: string, b: string): number | undefined {
  const shared = Math.min(a.length, b.length);
  let inString = false;
  for (let i = 2; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left === backslashCode || right === backslashCode) return undefined;
    if (left === right) {
      if (left === quoteCode) inString = !inString;
      continue;
    }
    if (!inString) return compareIntegersAt(a, b, i);
    if (left === quoteCode) return -1;
    if (right === quoteCode) return 1;
    return compareBytes(a.slice(i), b.slice(i));
  }
  return undefined;
}

/**
 * Compares integers, such as ports. `a` and `b` must be equal before `at`. Returns undefined unless both have a
 * plain integer there.
 */
function compareIntegersAt(a: string, b: string, at: number): number | undefined {
  let start = at;
  while (isIntegerCharacter(a.charCodeAt(start - 1))) start -= 1;
  if (start > 2 && a.charCodeAt(start - 1) !== colonCode) return undefined;
  const left = integerAt(a, start);
  const right = integerAt(b, start);
  return left === undefined || right === undefined ? undefined : left - right;
}

function integerAt(text: string, start: number): number | undefined {
  let end = start;
  while (isIntegerCharacter(text.charCodeAt(end))) end += 1;
  const isWhole =
    end === text.length || text.charCodeAt(end) === commaCode || text.charCodeAt(end) === closingBraceCode;
  if (!isWhole || end === start || end - start > maxDigits) return undefined;
  return Number(text.slice(start, end));
}

function isIntegerCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === minusCode;
}

function compareContents(a: PathElement, b: PathElement): number {
  const left = parseJson(a.slice(2));
  const right = parseJson(b.slice(2));
  return isKeyElement(a) ? compareKeys(left as JsonObject, right as JsonObject) : compareValues(left, right);
}

function compareKeys(a: JsonObject, b: JsonObject): number {
  const left = Object.entries(a);
  const right = Object.entries(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [leftName, leftValue] = left[i] as [string, JsonValue];
    const [rightName, rightValue] = right[i] as [string, JsonValue];
    const order = compareBytes(leftName, rightName) || compareValues(leftValue, rightValue);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function isPlainKey(key: string): boolean {
  const [, first = '', second] = plainKeyPattern.exec(key) ?? [];
  return first !== '' && (second === undefined || first < second);
}

function canonicalKey(content: JsonValue): PathElement {
  if (!isJsonObject(content)) throw new InvalidPathElement('a list key must be an object');
  return `k:${goJson(content)}`;
}

function indexElement(digits: string): PathElement {
  if (!/^[+-]?\d{1,15}$/.test(digits)) throw new InvalidPathElement(`parsing ${quote(digits)}: invalid syntax`);
  return `i:${Number(digits)}`;
}

const perhapsTooLarge = /\d{16}/;

/** Keeps integers beyond a double exact. */
function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text, perhapsTooLarge.test(text) ? exactInteger : undefined) as JsonValue;
  } catch (cause) {
    throw new InvalidPathElement(`not JSON: ${quote(text)}`, { cause });
  }
}

function exactInteger(_key: string, value: JsonValue, context?: { readonly source?: string }): JsonValue {
  const { source = '' } = context ?? {};
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value;
}

function valueText(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (!isJsonObject(value)) return goJson(value);
  return members(value).join('');
}

function members(map: JsonObject): string[] {
  return Object.entries(map).map(([name, member]) => `${name}=${valueText(member ?? null)}`);
}
