import type { UnknownText } from '../lexer.ts';
import type { MacroTable } from '../macro-table.ts';
import type { Issue } from '../source.ts';
import type { Token } from '../token.ts';
import { ParsingStopped, RecoveringParser } from './recovery.ts';
import { Visitor } from './visitor.ts';

/** A text that does not follow the grammar. */
export interface BrokenText {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly unknown: readonly UnknownText[];
  readonly toCodePoint: (index: number) => number;
}

const maxSyntaxErrors = 100;

/** Finds all syntax errors, and other errors that are visible despite them. */
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

/** Reports a keyword after a dot as a wrong identifier, as cel-go does. */
const keywordAsNamePattern = /no viable alternative at input '.(true|false|null)'/;

/** The parser never saw unknown text. */
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
