import type { UnknownText } from '../lexer.ts';
import type { MacroTable } from '../macro-table.ts';
import type { Issue } from '../source.ts';
import type { Token } from '../token.ts';
import { ParsingStopped, RecoveringParser } from './recovery.ts';
import { Visitor } from './visitor.ts';

/** A text that was found not to follow the grammar. */
export interface BrokenText {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly unknown: readonly UnknownText[];
  readonly toCodePoint: (index: number) => number;
}

const maxSyntaxErrors = 100;

/** Says what is wrong: all of it, and what else can be seen on the way. */
export function diagnose({ text, tokens, unknown, toCodePoint }: BrokenText, macros: MacroTable): readonly Issue[] {
  const issues: Issue[] = [];
  const report = (offset: number | undefined, message: string): void => {
    issues.push({ offset, message });
  };
  let syntaxErrors = 0;
  const reportSyntax = (start: number, message: string): void => {
    const isLast = syntaxErrors++ >= maxSyntaxErrors;
    const shown = isLast ? `More than ${maxSyntaxErrors} syntax errors` : message;
    report(toCodePoint(start), `Syntax error: ${shown}`);
    if (isLast) throw new ParsingStopped();
  };
  const syntaxError = (token: Token, message: string): void => {
    reportSyntax(token.start, message.replace(keywordAsNamePattern, "mismatched input '$1' expecting IDENTIFIER"));
  };
  const textBetween = (first: Token, last: Token): string => withoutUnknown(text, first.start, last.end, unknown);
  try {
    for (const { start, end } of unknown)
      reportSyntax(start, `token recognition error at: '${text.slice(start, end)}'`);
    const tree = new RecoveringParser(tokens, textBetween, syntaxError).parse();
    const textOf = ({ start, end }: Token): string => text.slice(start, end);
    new Visitor({ textOf, toCodePoint, macros, report }).visit(tree);
  } catch (error) {
    if (!(error instanceof ParsingStopped)) throw error;
    if (error.message !== undefined) report(undefined, error.message);
  }
  return issues;
}

/** A word of the language after a dot is said to be no identifier, rather than to fit nothing. */
const keywordAsNamePattern = /no viable alternative at input '.(true|false|null)'/;

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
