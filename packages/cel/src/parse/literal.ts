import { Buffer } from 'node:buffer';
import type { LiteralValue } from '../ast.ts';
import type { TokenKind } from './token.ts';

/**
 * The value of a literal. Returns an error message if there is no such value, or undefined if the token is no
 * literal.
 */
export function literalValue(kind: TokenKind, text: string, isNegative: boolean): LiteralValue | string | undefined {
  return readers.get(kind)?.(text, isNegative);
}

type Reader = (text: string, isNegative: boolean) => LiteralValue | string;

const readers: ReadonlyMap<TokenKind, Reader> = new Map<TokenKind, Reader>([
  ['NUM_INT', readInt],
  ['NUM_UINT', readUint],
  ['NUM_FLOAT', readDouble],
  ['STRING', readString],
  ['BYTES', readBytes],
  ['true', () => ({ type: 'bool', value: true })],
  ['false', () => ({ type: 'bool', value: false })],
  ['null', () => ({ type: 'null' })],
]);

function readInt(text: string, isNegative: boolean): LiteralValue | string {
  const value = isNegative ? -BigInt(text) : BigInt(text);
  return value >= minInt && value <= maxInt ? { type: 'int', value } : 'invalid int literal';
}

function readUint(text: string): LiteralValue | string {
  const value = BigInt(text.slice(0, -1));
  return value <= maxUint ? { type: 'uint', value } : 'invalid uint literal';
}

function readDouble(text: string, isNegative: boolean): LiteralValue | string {
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'double', value: isNegative ? -value : value } : 'invalid double literal';
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

function readString(text: string): LiteralValue | string {
  const { body, isRaw } = withoutQuotes(text);
  if (isRaw || !body.includes('\\')) return { type: 'string', value: body };
  let value = '';
  for (const part of escapedParts(body)) {
    if (typeof part === 'string') {
      value += part;
    } else if (isCodePoint(part.code)) {
      value += String.fromCodePoint(part.code);
    } else {
      return 'invalid unicode code point';
    }
  }
  return { type: 'string', value };
}

function readBytes(text: string): LiteralValue | string {
  const { body, isRaw } = withoutQuotes(text.slice(1));
  if (isRaw || !body.includes('\\')) return { type: 'bytes', value: new Uint8Array(Buffer.from(body)) };
  const parts: Buffer[] = [];
  for (const part of escapedParts(body)) {
    if (typeof part === 'string') {
      parts.push(Buffer.from(part));
    } else if (part.isUnicode) {
      return 'unable to unescape string';
    } else {
      parts.push(Buffer.from([part.code]));
    }
  }
  return { type: 'bytes', value: new Uint8Array(Buffer.concat(parts)) };
}

function withoutQuotes(text: string): { body: string; isRaw: boolean } {
  const isRaw = text.startsWith('r') || text.startsWith('R');
  const quoted = (isRaw ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n');
  const isLong = quoted.length >= 6 && (quoted.startsWith("'''") || quoted.startsWith('"""'));
  return { body: isLong ? quoted.slice(3, -3) : quoted.slice(1, -1), isRaw };
}

interface EscapedCode {
  readonly code: number;
  readonly isUnicode: boolean;
}

/** Yields plain text and codes of escapes. The lexer has validated the escapes. */
function* escapedParts(body: string): Generator<string | EscapedCode> {
  let index = 0;
  while (index < body.length) {
    const escape = body.indexOf('\\', index);
    if (escape !== index) yield body.slice(index, escape < 0 ? undefined : escape);
    if (escape < 0) return;
    const letter = body.charAt(escape + 1);
    const simple = simpleEscapes.get(letter);
    if (simple !== undefined) {
      yield simple;
      index = escape + 2;
    } else if (letter >= '0' && letter <= '3') {
      yield { code: Number.parseInt(body.slice(escape + 1, escape + 4), 8), isUnicode: false };
      index = escape + 4;
    } else {
      const digits = letter === 'u' ? 4 : letter === 'U' ? 8 : 2;
      yield { code: Number.parseInt(body.slice(escape + 2, escape + 2 + digits), 16), isUnicode: digits > 2 };
      index = escape + 2 + digits;
    }
  }
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['?', '?'],
]);

function isCodePoint(code: number): boolean {
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}
