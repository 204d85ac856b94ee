const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** Such words may name fields, but not variables or functions. */
export function isReserved(name: string): boolean {
  return reservedWords.has(name);
}
