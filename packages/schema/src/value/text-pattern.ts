import { RE2JS } from 're2js';

/** A regular expression in the syntax of Go, whose time is linear in the text. */
export interface TextPattern {
  /** Why it is none; then it is in no text. */
  readonly error: string | undefined;
  readonly isIn: (text: string) => boolean;
}

/** Definitions repeat each other's patterns, and so do the versions of one. Long ones are rare, and large when compiled. */
const compiled = new Map<string, TextPattern>();
const maxCompiled = 1000;
const maxCachedLength = 256;

export function textPattern(pattern: string): TextPattern {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const fresh = compile(pattern);
  if (pattern.length > maxCachedLength) return fresh;
  if (compiled.size >= maxCompiled) compiled.clear();
  compiled.set(pattern, fresh);
  return fresh;
}

function compile(pattern: string): TextPattern {
  let expression: RE2JS | undefined;
  try {
    expression = RE2JS.compile(pattern);
  } catch (error) {
    return { error: (error as Error).message, isIn: () => false };
  }
  const regexp = expression;
  return { error: undefined, isIn: (text) => regexp.test(text) };
}
