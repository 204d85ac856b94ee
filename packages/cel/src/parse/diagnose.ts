import type { UnknownText } from './lexer.ts';
import type { Issue } from './source.ts';
import type { Token } from './token.ts';

/** Says what is wrong with a text that does not follow the grammar. */
export function diagnose(
  text: string,
  _tokens: readonly Token[],
  unknown: readonly UnknownText[],
  toCodePoint: (index: number) => number,
): readonly Issue[] {
  const issues: Issue[] = unknown.map(({ start, end }) => ({
    offset: toCodePoint(start),
    message: `Syntax error: token recognition error at: '${text.slice(start, end)}'`,
  }));
  if (issues.length === 0) issues.push({ offset: 0, message: 'Syntax error' });
  return issues;
}
