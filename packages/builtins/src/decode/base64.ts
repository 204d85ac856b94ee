/** Base64 as Go's standard encoding reads it: padded, newlines skipped, errors name the offending byte. */

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextets = new Uint8Array(128).fill(255);
for (let sextet = 0; sextet < 64; sextet++) sextets[alphabet.charCodeAt(sextet)] = sextet;

const paddingCode = 61; // '='

export class Base64Error extends Error {
  constructor(at: number) {
    super(`illegal base64 data at input byte ${at}`);
  }
}

/** The same bytes in the spelling that Go writes. Throws `Base64Error`. */
export function canonicalBase64(text: string): string {
  return isCanonical(text) ? text : Buffer.from(withoutNewlines(text), 'base64').toString('base64');
}

/** True for text that Go would write, false for text that Go accepts. Throws for the rest. */
function isCanonical(text: string): boolean {
  const length = text.length;
  let at = 0;
  for (; at < length; at++) {
    if (!isLetter(text.charCodeAt(at))) break;
  }
  if (at === length && length % 4 === 0) return true;
  return isPaddedCanonically(text, at) || !checkSlowly(text);
}

function isPaddedCanonically(text: string, letters: number): boolean {
  const padding = text.length - letters;
  if (text.length % 4 !== 0 || padding > 2 || text.charCodeAt(letters) !== paddingCode) return false;
  if (text.charCodeAt(text.length - 1) !== paddingCode) return false;
  const unusedBits = padding === 1 ? 0b11 : 0b1111;
  return ((sextets[text.charCodeAt(letters - 1)] ?? 0) & unusedBits) === 0;
}

function isLetter(code: number): boolean {
  return code < 128 && sextets[code] !== 255;
}

function isNewline(code: number): boolean {
  return code === 10 || code === 13;
}

/** Walks groups of four as Go does, so that an error names the same byte. */
function checkSlowly(text: string): true {
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isNewline(code)) continue;
    if (isLetter(code)) {
      inGroup = (inGroup + 1) % 4;
    } else if (code === paddingCode && inGroup >= 2) {
      checkPadding(text, at, inGroup);
      return true;
    } else {
      throw new Base64Error(byteOffset(text, at));
    }
  }
  if (inGroup !== 0) throw new Base64Error(text.length - inGroup);
  return true;
}

function checkPadding(text: string, at: number, inGroup: number): void {
  let next = skipNewlines(text, at + 1);
  if (inGroup === 2) {
    if (next === text.length) throw new Base64Error(text.length);
    if (text.charCodeAt(next) !== paddingCode) throw new Base64Error(next - 1);
    next = skipNewlines(text, next + 1);
  }
  if (next < text.length) throw new Base64Error(next);
}

function skipNewlines(text: string, from: number): number {
  let at = from;
  while (at < text.length && isNewline(text.charCodeAt(at))) at++;
  return at;
}

function withoutNewlines(text: string): string {
  return text.replace(/[\r\n]/g, '');
}

function byteOffset(text: string, at: number): number {
  return Buffer.byteLength(text.slice(0, at));
}
