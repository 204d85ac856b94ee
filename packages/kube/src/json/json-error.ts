import { quote } from '../go/format.ts';

/** The text is not JSON that Go accepts. The message is Go's. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** A valid number beyond the range of a float64. Only a reader of that field fails. */
export class JsonRangeError extends JsonError {}

export function unexpectedEnd(): JsonError {
  return new JsonError('unexpected end of JSON input');
}

export function unexpectedIn(text: string, at: number, context: string): JsonError {
  return new JsonError(`invalid character ${quotedByte(firstByte(text.codePointAt(at) ?? 0))} ${context}`);
}

/** Go prints the first byte of a character as Latin-1. */
function quotedByte(byte: number): string {
  if (byte === 0x27) return `'\\''`;
  if (byte === 0x22) return `'"'`;
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

function firstByte(codePoint: number): number {
  if (codePoint < 0x80) return codePoint;
  if (codePoint < 0x800) return 0xc0 | (codePoint >> 6);
  return codePoint < 0x10000 ? 0xe0 | (codePoint >> 12) : 0xf0 | (codePoint >> 18);
}
