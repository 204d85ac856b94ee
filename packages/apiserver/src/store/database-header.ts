import { closeSync, openSync, readSync } from 'node:fs';

/** Marks a SQLite file as ours: "Flot". */
export const applicationId = 0x466c6f74;
/** Raised when the layout of the file changes. */
export const formatVersion = 1;

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

/**
 * Looks at the first bytes of a database before SQLite does, since opening a file can already change it.
 * `absent`: there is nothing yet, or nothing but an empty file.
 */
export function checkDatabaseHeader(file: string): 'absent' | 'ours' {
  const header = firstBytes(file);
  if (header === undefined || header.length === 0) return 'absent';
  const isSqlite = header.length === 100 && header.toString('latin1', 0, 16) === 'SQLite format 3\0';
  if (!isSqlite) throw new UnusableDatabase(file, 'is damaged or not a database');
  if (header.readUInt32BE(68) !== applicationId) {
    throw new UnusableDatabase(file, 'is the database of another program');
  }
  const version = header.readUInt32BE(60);
  if (version > formatVersion) {
    const problem = `was written by a newer Flotilla (format ${version}, this one knows ${formatVersion})`;
    throw new UnusableDatabase(file, problem);
  }
  return 'ours';
}

function firstBytes(file: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const header = Buffer.alloc(100);
    return header.subarray(0, readSync(descriptor, header, 0, 100, 0));
  } finally {
    closeSync(descriptor);
  }
}
