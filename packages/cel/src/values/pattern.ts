import { RE2JS, RE2JSException } from 're2js';
import { CelError } from '../value.ts';

/** Go names the part that is wrong even where there is none. */
const withoutPart = 'error parsing regexp: trailing backslash at end of expression';

/** A regular expression that takes time linear in the text; an error, in Go's words, where it is none. */
export function compilePattern(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return new CelError(error.message === withoutPart ? `${withoutPart}: \`\`` : error.message);
  }
}
