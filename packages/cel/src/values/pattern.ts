import { RE2JS, RE2JSException } from 're2js';
import { CelError } from '../value.ts';

/** A regular expression that takes time linear in the text. */
export interface Pattern {
  /** Anywhere in the text. */
  matches(text: string): boolean;
}

export function compilePattern(pattern: string): Pattern | CelError {
  try {
    const compiled = RE2JS.compile(pattern);
    return { matches: (text) => compiled.test(text) };
  } catch (error) {
    if (error instanceof RE2JSException) return new CelError(error.message);
    throw error;
  }
}
