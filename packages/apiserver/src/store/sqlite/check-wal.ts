import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { checkFormat, UnusableDatabase, walBytes } from '../disk/database-header.ts';
import { readRows } from './read-rows.ts';
import { asDamage, isBusy } from './sqlite-errors.ts';

/**
 * Reads a database that a crash left with a write-ahead file, without changing either. Throws `UnusableDatabase`, or an
 * error that `isBusy` recognises.
 *
 * Opening the pair for writing copies the write-ahead file into the database, at the latest on close. A damaged database
 * must stay as it is, so it is checked before.
 */
export function checkWal(file: string): void {
  if (walBytes(file) === 0) return;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    check(file, database);
  } catch (error) {
    const failure = asDamage(file, error);
    // A full disk, for example, has no room for the index that SQLite shares among readers. Opening for writing needs none.
    if (failure instanceof UnusableDatabase || isBusy(failure)) throw failure;
  } finally {
    database.close();
    rmSync(`${file}-shm`, { force: true });
  }
}

function check(file: string, database: DatabaseSync): void {
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
