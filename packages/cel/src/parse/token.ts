/** Every kind of token, in the order in which messages list what was expected. */
export const tokenKinds = [
  '==',
  '!=',
  'in',
  '<',
  '<=',
  '>=',
  '>',
  '&&',
  '||',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
  '<EOF>',
] as const;

export type TokenKind = (typeof tokenKinds)[number];

/** A stretch of the source, its places counted in UTF-16 units. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** Such words may name fields, but not variables or functions. */
export function isReserved(name: string): boolean {
  return reservedWords.has(name);
}
