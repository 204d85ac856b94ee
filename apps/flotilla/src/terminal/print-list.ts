import { indentJson, stringifyJson, type JsonValue } from '@flotilla/kube';
import type { OutputFlag } from '../session/hub-flags.ts';
import type { Session } from '../session/session.ts';
import { tableLines, type Column } from './table.ts';

/** Prints rows as a table, or with `-o json` as a JSON array. */
export function printList<T extends object>(
  session: Session,
  rows: readonly T[],
  columns: readonly Column<T>[],
  { output, whenEmpty }: OutputFlag & { readonly whenEmpty: string },
): void {
  if (output === 'json') session.print(jsonText(rows));
  else if (rows.length === 0) session.print(whenEmpty);
  else for (const line of tableLines(rows, columns, session.terminal)) session.print(line);
}

/** As `-o json` prints it. */
export function jsonText(value: object): string {
  return indentJson(stringifyJson(value as JsonValue));
}
