import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { databaseFile } from './data-directory.ts';

/** Marks a SQLite file as ours: "Flot". */
export const applicationId = 0x466c6f74;
/** Raised when the layout of the file changes. */
export const formatVersion = 2;

/** A database file that this program must not touch. The message says why; the file stays as it is. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
  /** What is wrong, to be read after the name of a file: "is damaged". */
  readonly problem: string;

  constructor(file: string, problem: string) {
    super(`${file} ${problem}; nothing was changed`);
    this.problem = problem;
  }
}

/** Whether a data directory has a database with something in it. Only looks. Throws `UnusableDatabase`. */
export function hasDatabase(directory: string): boolean {
  return checkDatabaseHeader(databaseFile(directory)) === 'ours';
}

/** Bytes in the write-ahead file, which is there while somebody has the database and after a crash. */
export function unfinishedBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Looks at the first bytes of a database before SQLite does, since opening a file can already change it.
 * `absent`: there is nothing yet, or nothing but an empty file.
 */
export function checkDatabaseHeader(file: string): 'absent' | 'ours' {
  const header = firstBytes(file);
  if (header === undefined || header.length === 0) {
    // SQLite would delete what the write-ahead file holds.
    if (unfinishedBytes(file) > 0)
      throw new UnusableDatabase(file, 'is gone or empty, but its write-ahead file is not');
    return 'absent';
  }
  const isSqlite = header.length === 100 && header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  if (!isSqlite) throw new UnusableDatabase(file, 'is damaged or not a database');
  checkFormat(file, header.readUInt32BE(68), header.readUInt32BE(60));
  return 'ours';
}

/** Whether this program knows the layout, by the two numbers that SQLite keeps for us. */
export function checkFormat(file: string, application: number, version: number): void {
  if (application !== applicationId) throw new UnusableDatabase(file, 'is the database of another program');
  if (version > formatVersion) {
    const problem = `was written by a newer Flotilla (format ${version}, this one knows ${formatVersion})`;
    throw new UnusableDatabase(file, problem);
  }
}

function firstBytes(file: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    // A path through a file is for `makeDataDirectory` to refuse.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new UnusableDatabase(file, `cannot be read (${(error as Error).message})`);
  }
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(descriptor, header, 0, 100, 0));
  } catch (error) {
    const isFolder = (error as NodeJS.ErrnoException).code === 'EISDIR';
    throw new UnusableDatabase(file, isFolder ? 'is a folder' : `cannot be read (${(error as Error).message})`);
  } finally {
    closeSync(descriptor);
  }
}
