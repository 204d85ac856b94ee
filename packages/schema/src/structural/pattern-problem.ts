import { textPattern } from '../value/text-pattern.ts';

/** Why Go would not compile the pattern, in its words; undefined: it would. */
export function patternProblem(pattern: string): string | undefined {
  const { error } = textPattern(pattern);
  // Go names the offending part even when it is empty.
  return error?.endsWith('trailing backslash at end of expression') === true ? `${error}: \`\`` : error;
}
