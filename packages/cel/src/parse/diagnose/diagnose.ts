import type { UnknownText } from '../lexer.ts';
import { literalValue } from '../literal.ts';
import type { Issue } from '../source.ts';
import type { Token } from '../token.ts';
import { isReserved } from '../reserved-words.ts';
import { ParsingStopped, RecoveringParser } from './recovery.ts';

const MAX_SYNTAX_ERRORS = 100;

/** Says what is wrong with a text that does not follow the grammar: all of it, and what else can be seen on the way. */
export function diagnose(
  text: string,
  tokens: readonly Token[],
  unknown: readonly UnknownText[],
  toCodePoint: (index: number) => number,
): readonly Issue[] {
  const issues: Issue[] = [];
  const report = (start: number, message: string): void => {
    issues.push({ offset: toCodePoint(start), message });
  };
  let syntaxErrors = 0;
  const reportSyntax = (start: number, message: string): void => {
    const isLast = syntaxErrors++ >= MAX_SYNTAX_ERRORS;
    report(start, `Syntax error: ${isLast ? `More than ${MAX_SYNTAX_ERRORS} syntax errors` : message}`);
    if (isLast) throw new ParsingStopped();
  };
  const textOf = ({ start, end }: Token): string => text.slice(start, end);
  try {
    for (const { start, end } of unknown)
      reportSyntax(start, `token recognition error at: '${text.slice(start, end)}'`);
    const parser = new RecoveringParser(tokens, (first, last) => withoutUnknown(text, first.start, last.end, unknown), {
      syntaxError: (token, message) => {
        reportSyntax(token.start, message.replace(KEYWORD_AS_NAME, "mismatched input '$1' expecting IDENTIFIER"));
      },
      matched: (rule, alternative, ruleStart, token) => {
        if (rule === 'primary' && alternative <= 2 && token.kind === 'IDENTIFIER' && isReserved(textOf(token))) {
          report(ruleStart.start, `reserved identifier: ${textOf(token)}`);
        } else if (rule === 'escapeIdent' && token.kind === 'ESC_IDENTIFIER') {
          report(token.start, "unsupported syntax: '`'");
        } else if (rule === 'literal') {
          const value = literalValue(token.kind, textOf(token), ruleStart.kind === '-');
          if (typeof value === 'string') report(ruleStart.start, value);
        }
      },
    });
    parser.parse();
  } catch (error) {
    if (!(error instanceof ParsingStopped)) throw error;
    if (error.message !== undefined) issues.push({ offset: undefined, message: error.message });
  }
  return issues;
}

/** A word of the language after a dot is said to be no identifier, rather than to fit nothing. */
const KEYWORD_AS_NAME = /no viable alternative at input '.(true|false|null)'/;

/** Unknown text was never seen by the parser. */
function withoutUnknown(text: string, start: number, end: number, unknown: readonly UnknownText[]): string {
  let seen = '';
  let from = start;
  for (const skipped of unknown) {
    if (skipped.start < from || skipped.start >= end) continue;
    seen += text.slice(from, skipped.start);
    from = skipped.end;
  }
  return seen + text.slice(from, Math.max(from, end));
}
