import { RE2JS, RE2JSException } from 're2js';
import { CelError } from '../value.ts';

/** Go prints the invalid part even if it is empty. */
const withoutPart = 'error parsing regexp: trailing backslash at end of expression';

/** Compiles a regular expression that matches in linear time. Returns an error with Go's message if it is invalid. */
export function compilePattern(pattern: string): RE2JS | CelError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return new CelError(error.message === withoutPart ? `${withoutPart}: \`\`` : error.message);
  }
}
