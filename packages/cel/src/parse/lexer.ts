import type { Token, TokenKind } from './token.ts';

/** Text that is no token. The lexer reports and skips it. */
export interface UnknownText {
  readonly start: number;
  readonly end: number;
}

export interface Tokens {
  /** The last is always `<EOF>`. */
  readonly tokens: readonly Token[];
  readonly unknown: readonly UnknownText[];
}

/** The longest token wins. If none fits, the text up to and including the unexpected character is unknown. */
export function tokenize(text: string): Tokens {
  const tokens: Token[] = [];
  const unknown: UnknownText[] = [];
  let index = 0;
  while (index < text.length) {
    const start = index;
    const unit = text.charCodeAt(index);
    if (isBlank(unit)) {
      index++;
    } else if (unit === slashCode && text.charCodeAt(index + 1) === slashCode) {
      index = endOfLine(text, index);
    } else {
      const { kind, end } = scan(text, index, unit);
      index = end;
      if (kind === undefined) unknown.push({ start, end });
      else tokens.push({ kind, start, end });
    }
  }
  tokens.push({ kind: '<EOF>', start: text.length, end: text.length });
  return { tokens, unknown };
}

interface Scanned {
  /** Undefined if nothing fits. */
  readonly kind: TokenKind | undefined;
  readonly end: number;
}

const slashCode = 47;
const backslashCode = 92;
const backtickCode = 96;
const dotCode = 46;

function scan(text: string, index: number, unit: number): Scanned {
  if (isIdentifierStart(unit)) return scanWord(text, index);
  if (isDigit(unit) || (unit === dotCode && isDigit(text.charCodeAt(index + 1)))) return scanNumber(text, index);
  if (isQuote(unit)) return scanString(text, index, false, 'STRING');
  if (unit === backtickCode) return scanEscapedIdentifier(text, index);
  return scanOperator(text, index);
}

function scanWord(text: string, index: number): Scanned {
  const prefixed = scanPrefixedString(text, index);
  if (prefixed?.kind !== undefined) return prefixed;
  let end = index + 1;
  while (isIdentifierPart(text.charCodeAt(end))) end++;
  return { kind: keywords.get(text.slice(index, end)) ?? 'IDENTIFIER', end };
}

const keywords: ReadonlyMap<string, TokenKind> = new Map([
  ['in', 'in'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
]);

/** `r'…'`, `b'…'`, `br'…'`. Returns undefined if no quote follows, and no kind if the quote is not closed. */
function scanPrefixedString(text: string, index: number): Scanned | undefined {
  let quote = index;
  const isBytes = isLetterOf('bB', text[quote]);
  if (isBytes) quote++;
  const isRaw = isLetterOf('rR', text[quote]);
  if (isRaw) quote++;
  return isQuote(text.charCodeAt(quote)) ? scanString(text, quote, isRaw, isBytes ? 'BYTES' : 'STRING') : undefined;
}

function isLetterOf(letters: string, letter: string | undefined): boolean {
  return letter !== undefined && letters.includes(letter);
}

function scanString(text: string, quoteAt: number, isRaw: boolean, kind: TokenKind): Scanned {
  const quote = text.charAt(quoteAt);
  if (text.startsWith(quote.repeat(3), quoteAt)) {
    const end = endOfLongString(text, quoteAt + 3, quote.repeat(3), isRaw);
    // Not closed: its first two quotes are a string.
    return { kind, end: end ?? quoteAt + 2 };
  }
  return scanShortString(text, quoteAt + 1, quote, isRaw, kind);
}

function endOfLongString(text: string, from: number, quotes: string, isRaw: boolean): number | undefined {
  if (isRaw) {
    const close = text.indexOf(quotes, from);
    return close < 0 ? undefined : close + 3;
  }
  let index = from;
  while (index < text.length) {
    if (text.startsWith(quotes, index)) return index + 3;
    if (text.charCodeAt(index) === backslashCode) {
      const { length, isValid } = scanEscape(text, index);
      if (!isValid) return undefined;
      index += length;
    } else {
      index++;
    }
  }
  return undefined;
}

function scanShortString(text: string, from: number, quote: string, isRaw: boolean, kind: TokenKind): Scanned {
  let index = from;
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === quote) return { kind, end: index + 1 };
    if (character === '\n' || character === '\r') break;
    if (character === '\\' && !isRaw) {
      const { length, isValid } = scanEscape(text, index);
      index += length;
      if (!isValid) break;
    } else {
      index++;
    }
  }
  return { kind: undefined, end: afterCharacter(text, index) };
}

/** The length of the valid part of an escape sequence. */
function scanEscape(text: string, index: number): { length: number; isValid: boolean } {
  const letter = text.charAt(index + 1);
  if (letter !== '' && simpleEscapes.includes(letter)) return { length: 2, isValid: true };
  const digits = escapeDigits.get(letter);
  if (digits === undefined) return { length: 1, isValid: false };
  const isOctal = letter <= '3';
  for (let length = 2; length < 2 + digits; length++) {
    const unit = text.charCodeAt(index + length);
    if (!(isOctal ? unit >= 48 && unit <= 55 : isHexDigit(unit))) return { length, isValid: false };
  }
  return { length: 2 + digits, isValid: true };
}

const simpleEscapes = 'abfnrtv"\'\\?`';
const escapeDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['X', 2],
  ['u', 4],
  ['U', 8],
  ['0', 2],
  ['1', 2],
  ['2', 2],
  ['3', 2],
]);

function scanNumber(text: string, index: number): Scanned {
  if (text.startsWith('0x', index) && isHexDigit(text.charCodeAt(index + 2))) {
    let end = index + 3;
    while (isHexDigit(text.charCodeAt(end))) end++;
    return withUnsignedSuffix(text, end);
  }
  let end = afterDigits(text, index);
  let isFloat = false;
  if (text.charCodeAt(end) === dotCode && isDigit(text.charCodeAt(end + 1))) {
    end = afterDigits(text, end + 1);
    isFloat = true;
  }
  const afterExponent = endOfExponent(text, end);
  if (afterExponent !== undefined) return { kind: 'NUM_FLOAT', end: afterExponent };
  return isFloat ? { kind: 'NUM_FLOAT', end } : withUnsignedSuffix(text, end);
}

function withUnsignedSuffix(text: string, end: number): Scanned {
  return isLetterOf('uU', text[end]) ? { kind: 'NUM_UINT', end: end + 1 } : { kind: 'NUM_INT', end };
}

function endOfExponent(text: string, index: number): number | undefined {
  if (!isLetterOf('eE', text[index])) return undefined;
  const digits = isLetterOf('+-', text[index + 1]) ? index + 2 : index + 1;
  return isDigit(text.charCodeAt(digits)) ? afterDigits(text, digits) : undefined;
}

function scanEscapedIdentifier(text: string, index: number): Scanned {
  let end = index + 1;
  while (isIdentifierPart(text.charCodeAt(end)) || isLetterOf('.-/ ', text[end])) end++;
  if (text.charCodeAt(end) === backtickCode && end > index + 1) return { kind: 'ESC_IDENTIFIER', end: end + 1 };
  return { kind: undefined, end: afterCharacter(text, end) };
}

function scanOperator(text: string, index: number): Scanned {
  const two = text.slice(index, index + 2);
  if (twoLetterOperators.has(two)) return { kind: two as TokenKind, end: index + 2 };
  const one = text.charAt(index);
  if (oneLetterOperators.has(one)) return { kind: one as TokenKind, end: index + 1 };
  // The first character of `==`, `&&` or `||` includes the next one.
  const failedAt = one === '=' || one === '&' || one === '|' ? index + 1 : index;
  return { kind: undefined, end: afterCharacter(text, failedAt) };
}

const twoLetterOperators: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=', '&&', '||']);
const oneLetterOperators: ReadonlySet<string> = new Set('<>[]{}().,-!?:+*/%');

function afterCharacter(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return index + ((text.codePointAt(index) as number) > 0xffff ? 2 : 1);
}

function endOfLine(text: string, index: number): number {
  const end = text.indexOf('\n', index);
  return end < 0 ? text.length : end;
}

function afterDigits(text: string, index: number): number {
  let end = index;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13 || unit === 12;
}

function isQuote(unit: number): boolean {
  return unit === 34 || unit === 39;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isHexDigit(unit: number): boolean {
  return isDigit(unit) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);
}

function isIdentifierStart(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
}

function isIdentifierPart(unit: number): boolean {
  return isIdentifierStart(unit) || isDigit(unit);
}
