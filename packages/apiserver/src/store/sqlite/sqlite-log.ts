/**
 * The durable log in one SQLite file, with all SQL. Runs in the worker thread, and in `restore`.
 *
 * Rows are only appended, in the order of revisions. A row has the revision that it supersedes. Only the log is written,
 * so a write touches the last page only. Opening reads the log of a store once to find its live keys.
 */
import { chmodSync } from 'node:fs';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  applicationId,
  checkDatabaseHeader,
  formatVersion,
  walBytes,
  UnusableDatabase,
} from '../disk/database-header.ts';
import { checkWal } from './check-wal.ts';
import { bytesOfRow, type LogRows } from './log-rows.ts';
import { checksum, readRows } from './read-rows.ts';
import { revisionOf, rowId } from './row-id.ts';
import { asDamage, isBusy, isFull } from './sqlite-errors.ts';

/** A store in the file. `compacted`: history up to here is dropped; `swept`: its rows are deleted too. */
export interface StoredStore extends Omit<NewStore, 'startRevision'> {
  readonly compacted: number;
  readonly swept: number;
}

export interface NewStore {
  readonly id: number;
  readonly name: string;
  /** Number of the store that this one started from, and the revision of that store, which is frozen since. */
  readonly base: number | null;
  readonly baseRevision: number;
  /** History starts here. */
  readonly startRevision: number;
}

const pageSize = 16384;
/**
 * SQLite copies the write-ahead file into the database when it has this size. Writes wait meanwhile: for 5 ms. A file of
 * 16 MiB takes 18 ms, and saves no time in total.
 */
const checkpointBytes = 4 * 1024 * 1024;
/** Small, because rows are appended, and read once in order. */
const cacheKiB = 2048;

/** A transaction that deletes this many rows fits into the reserve. */
const rowsPerDrop = 64;

/** Since format 2. */
const baseColumns = ['base INTEGER', 'base_revision INTEGER NOT NULL DEFAULT 0'];

const schema = `
  CREATE TABLE stores (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    compacted INTEGER NOT NULL DEFAULT 0,
    swept INTEGER NOT NULL DEFAULT 0,
    ${baseColumns.join(', ')}
  ) STRICT;
  CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    created INTEGER NOT NULL,
    previous INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    time INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    collection TEXT NOT NULL,
    name TEXT NOT NULL,
    header TEXT NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${formatVersion};
`;

/** Deletes a row and all that it supersedes, directly or indirectly; a row of revision 0 does not exist. */
const removeChain = `
  WITH RECURSIVE chain(id) AS (
    SELECT ?1
    UNION ALL
    SELECT ?2 + log.previous FROM log JOIN chain ON log.id = chain.id WHERE log.previous > 0
  )
  DELETE FROM log WHERE id IN (SELECT id FROM chain)
`;

/** Without history, the row of a deleted object has no content. */
const noBytes = new Uint8Array();

export class SqliteLog {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;

  private constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
    this.#insert = database.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** Opens or creates the file, and locks it. Throws `UnusableDatabase`, or an error that `isBusy` recognises. */
  static open(file: string): SqliteLog {
    checkDatabaseHeader(file);
    checkWal(file);
    const database = new DatabaseSync(file);
    try {
      chmodSync(file, 0o600);
      // With an exclusive lock SQLite keeps its index of the write-ahead file in memory instead of a shared file.
      database.exec(
        `PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = ${pageSize}; PRAGMA cache_size = -${cacheKiB}`,
      );
      database.exec('PRAGMA mmap_size = 0; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE');
      if (isEmpty(database)) database.exec(schema);
      else migrate(database);
      database.exec('COMMIT; PRAGMA journal_mode = WAL');
      database.exec(`PRAGMA wal_autocheckpoint = ${checkpointBytes / pageSize}; BEGIN IMMEDIATE; COMMIT`);
      return new SqliteLog(file, database);
    } catch (error) {
      database.close();
      throw asDamage(file, error);
    }
  }

  stores(): StoredStore[] {
    const rows = this.#database
      .prepare('SELECT id, name, base, base_revision AS baseRevision, compacted, swept FROM stores ORDER BY id')
      .all();
    return rows as unknown as StoredStore[];
  }

  /** All rows of all stores in order, in chunks. Verifies each checksum. */
  *read(): Generator<LogRows, void, undefined> {
    try {
      yield* readRows(this.#database);
    } catch (error) {
      throw asDamage(this.#file, error);
    }
  }

  /**
   * Makes new stores and rows durable: all, or none if it throws. If compact, it also deletes the superseded rows and drops
   * the history of their stores. Then only larger objects need more room than before.
   */
  append(newStores: readonly NewStore[], rows: LogRows, isCompact = false): void {
    this.#transaction(() => {
      const insert = 'INSERT INTO stores (id, name, base, base_revision, compacted, swept) VALUES (?, ?, ?, ?, ?, ?)';
      for (const { id, name, base, baseRevision, startRevision } of newStores) {
        this.#database.prepare(insert).run(id, name, base, baseRevision, startRevision, startRevision);
      }
      for (let index = 0; index < rows.ends.length; index++) {
        if (isCompact) this.#removeSuperseded(rows, index);
        if (isCompact && rows.deleted[index]) this.#insertRow(rows, index, '{}', noBytes);
        else this.#insertRow(rows, index, rows.headers[index]!, bytesOfRow(rows, index));
      }
    });
  }

  /** Size of the write-ahead file and of the free pages in the database, in bytes. */
  space(): { wal: number; free: number } {
    const { freelist_count: free } = this.#database.prepare('PRAGMA freelist_count').get() as {
      freelist_count: number;
    };
    return { wal: walBytes(this.#file), free: free * pageSize };
  }

  /** Moves the write-ahead file into the database and truncates it, if the disk has the room. */
  checkpoint(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }

  /**
   * Deletes rows of one store that only history up to `compacted` needed. Examines at most `limit` rows. Returns whether
   * more are left.
   */
  sweep(store: number, compacted: number, limit: number): 'done' | 'more' {
    const { swept, baseRevision } = this.#database
      .prepare('SELECT swept, base_revision AS baseRevision FROM stores WHERE id = ?')
      .get(store) as { swept: number; baseRevision: number };
    // The newest row always stays: it has the last revision and its time.
    const end = Math.max(rowId(store, swept), Math.min(rowId(store, compacted), this.#newestRow(store) - 1));
    const from = rowId(store, swept);
    const window = this.#database.prepare('SELECT id FROM log WHERE id > ? AND id <= ? ORDER BY id LIMIT 1 OFFSET ?');
    const last = window.get(from, end, limit - 1) as { id: number } | undefined;
    const to = last?.id ?? end;
    this.#transaction(() => {
      this.#database
        .prepare('DELETE FROM log WHERE id IN (SELECT ? + previous FROM log WHERE id > ? AND id <= ? AND previous > 0)')
        .run(rowId(store, 0), from, to);
      // A key of the base store stays deleted only while a row here says so.
      this.#database
        .prepare('DELETE FROM log WHERE id > ? AND id <= ? AND deleted = 1 AND created > ?')
        .run(from, to, baseRevision);
      this.#setCompacted(store, compacted, revisionOf(to));
    });
    return last === undefined ? 'done' : 'more';
  }

  /** Deletes all rows that only history needs, of all stores, as far as the disk allows. */
  dropHistory(): void {
    try {
      for (const store of this.stores()) {
        while (this.sweep(store.id, this.revision(store), rowsPerDrop) === 'more') this.checkpoint();
      }
    } catch (error) {
      if (!isFull(error)) throw error;
    }
    this.checkpoint();
  }

  /** Newest revision that a store has assigned. */
  revision(store: StoredStore): number {
    return Math.max(store.compacted, revisionOf(this.#newestRow(store.id)));
  }

  /** Time of the newest row, 0 if there is none. */
  newestTime(): number {
    const { time } = this.#database.prepare('SELECT max(time) AS time FROM log').get() as { time: number | null };
    return time ?? 0;
  }

  /** Continues each store above a revision, without history before it. */
  skipTo(revisions: ReadonlyMap<number, number>): void {
    this.#transaction(() => {
      const skip = this.#database.prepare('UPDATE stores SET compacted = ? WHERE id = ?');
      for (const [store, revision] of revisions) skip.run(revision, store);
    });
  }

  /** Copies the database in pieces; the copy includes commits made meanwhile. `onProgress` may throw to abort. */
  async backup(file: string, onProgress: (share: number) => void = () => undefined): Promise<void> {
    const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void =>
      onProgress(1 - remainingPages / totalPages);
    await backup(this.#database, file, { rate: 64, progress });
  }

  /** Checks every page and every row. */
  verify(): void {
    const [first] = this.#database.prepare('PRAGMA integrity_check(1)').all() as { integrity_check: string }[];
    const answer = first?.integrity_check;
    if (answer !== 'ok') throw new UnusableDatabase(this.#file, `is damaged (${answer})`);
    for (const rows of this.read()) void rows;
  }

  close(): void {
    this.#database.close();
  }

  /** Deletes all earlier rows of the key. One that stayed would be live again once the newest row is swept. */
  #removeSuperseded(rows: LogRows, index: number): void {
    const store = rows.stores[index]!;
    this.#database.prepare(removeChain).run(rowId(store, rows.previousRevisions[index]!), rowId(store, 0));
    this.#database
      .prepare('UPDATE stores SET compacted = max(compacted, ?) WHERE id = ?')
      .run(rows.revisions[index]!, store);
  }

  #insertRow(rows: LogRows, index: number, header: string, bytes: Uint8Array): void {
    this.#insert.run(
      rowId(rows.stores[index]!, rows.revisions[index]!),
      rows.createRevisions[index]!,
      rows.previousRevisions[index]!,
      rows.deleted[index] ? 1 : 0,
      rows.times[index]!,
      checksum(header, bytes),
      rows.collections[index]!,
      rows.names[index]!,
      header,
      bytes,
    );
  }

  /** Id of a store's newest row; that of revision 0 if there is none. */
  #newestRow(store: number): number {
    const newest = this.#database.prepare('SELECT max(id) AS id FROM log WHERE id < ?').get(rowId(store + 1, 0));
    return Math.max((newest as { id: number | null }).id ?? 0, rowId(store, 0));
  }

  #setCompacted(store: number, compacted: number, swept: number): void {
    this.#database
      .prepare('UPDATE stores SET compacted = max(compacted, ?), swept = ? WHERE id = ?')
      .run(compacted, swept, store);
  }

  #transaction(change: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      change();
      this.#database.exec('COMMIT');
    } catch (error) {
      // Some failures have already ended the transaction.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Whether another connection has locked the file. Reads only. */
export function isLocked(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database.close();
  }
}

function migrate(database: DatabaseSync): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version >= formatVersion) return;
  for (const column of baseColumns) database.exec(`ALTER TABLE stores ADD COLUMN ${column}`);
  database.exec(`PRAGMA user_version = ${formatVersion}`);
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}
