import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { checkFormat, UnusableDatabase, unfinishedBytes } from '../disk/database-header.ts';
import { readRows } from './read-rows.ts';
import { asDamage, isBusy } from './sqlite-errors.ts';

/**
 * Reads a database that a crash left with a write-ahead file, without changing either. Throws `UnusableDatabase`, or what
 * `isBusy` recognises.
 *
 * Whoever opens such a pair for writing copies the one into the other, at the latest when closing it. A damaged database
 * must stay as it is, so it has to be found out before.
 */
export function examineUnfinished(file: string): void {
  if (unfinishedBytes(file) === 0) return;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    examine(file, database);
  } catch (error) {
    const refusal = asDamage(file, error);
    // A full disk, say, has no room for the index that SQLite shares among readers; whoever opens the file needs none.
    if (refusal instanceof UnusableDatabase || isBusy(refusal)) throw refusal;
  } finally {
    database.close();
    rmSync(`${file}-shm`, { force: true });
  }
}

function examine(file: string, database: DatabaseSync): void {
  checkFormat(file, numberIn(database, 'PRAGMA application_id'), numberIn(database, 'PRAGMA user_version'));
  const stores = numberIn(database, 'SELECT count(*) FROM stores');
  for (const rows of readRows(database)) {
    const stray = rows.stores.find((store) => store >= stores);
    if (stray !== undefined) throw new UnusableDatabase(file, `is damaged (store ${stray} of a row does not exist)`);
  }
}

function numberIn(database: DatabaseSync, sql: string): number {
  const row = database.prepare(sql).get() as Readonly<Record<string, number>>;
  return Object.values(row)[0]!;
}
