import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { databaseFile } from './data-directory.ts';

/** Marks a SQLite file as ours: "Flot". */
export const applicationId = 0x466c6f74;
/** Incremented when the layout of the file changes. */
export const formatVersion = 2;

/** A database file that this program must not change. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
  /** Follows the name of the file: "is damaged". */
  readonly problem: string;

  constructor(file: string, problem: string) {
    super(`${file} ${problem}; nothing was changed`);
    this.problem = problem;
  }
}

/** Whether a data directory has a database with content. Reads only. Throws `UnusableDatabase`. */
export function hasDatabase(directory: string): boolean {
  return checkDatabaseHeader(databaseFile(directory)) === 'ours';
}

/** Size of the write-ahead file, which exists while the database is open and after a crash. */
export function walBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Reads the first bytes of a database before SQLite does, because opening a file can already change it.
 * `absent`: there is no file, or an empty one.
 */
export function checkDatabaseHeader(file: string): 'absent' | 'ours' {
  const header = firstBytes(file);
  if (header === undefined || header.length === 0) {
    // SQLite would delete the content of the write-ahead file.
    if (walBytes(file) > 0) throw new UnusableDatabase(file, 'is gone or empty, but its write-ahead file is not');
    return 'absent';
  }
  const isSqlite = header.length === 100 && header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  if (!isSqlite) throw new UnusableDatabase(file, 'is damaged or not a database');
  checkFormat(file, header.readUInt32BE(68), header.readUInt32BE(60));
  return 'ours';
}

/** Checks the two numbers in SQLite's header that are reserved for applications. */
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
    // `makeDataDirectory` refuses a path through a file.
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
