import { indentJson, stringifyJson, type JsonValue } from '@flotilla/kube';
import type { OutputFlag } from './hub-flags.ts';
import type { Session } from './session.ts';

/** One column of a table: its title, and its text in a row. Text may be empty. */
export type Column<T> = readonly [title: string, text: (row: T) => string];

/** Prints rows as a table, or with `-o json` as a JSON array. */
export function printList<T extends object>(
  session: Session,
  rows: readonly T[],
  columns: readonly Column<T>[],
  { output, whenEmpty }: OutputFlag & { readonly whenEmpty: string },
): void {
  if (output === 'json') session.print(indentJson(stringifyJson(rows as readonly object[] as JsonValue)));
  else if (rows.length === 0) session.print(whenEmpty);
  else for (const line of tableLines(rows, columns)) session.print(line);
}

/** As kubectl prints tables: three spaces between columns, no space at the end of a line. Columns without any text are left out. */
export function tableLines<T>(rows: readonly T[], columns: readonly Column<T>[]): string[] {
  const cells = columns
    .map(([title, text]) => [title, ...rows.map((row) => printable(text(row)))])
    .filter(([, ...texts]) => texts.some((text) => text !== ''));
  const widths = cells.map((texts) => Math.max(...texts.map(({ length }) => length)));
  return [...rows.keys(), rows.length].map((line) =>
    cells
      .map((texts, column) => (texts[line] === '' ? '-' : (texts[line] ?? '')).padEnd(widths[column] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

/** Messages come from other programs: no control character reaches the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
}
