import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolders } from './make-folders.ts';

const databaseName = 'flotilla.db';
const ownerFileName = 'flotilla.pid';

/** Another process has locked the directory. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';

  constructor(directory: string) {
    super(`the data directory ${directory} is in use by ${ownerOf(directory)}`);
  }
}

export function databaseFile(directory: string): string {
  return join(directory, databaseName);
}

/** The path cannot be used as a data directory. */
export class UnusableDirectory extends Error {
  override readonly name = 'UnusableDirectory';
}

/** Readable by its owner only: objects include Secrets. */
export function makeDataDirectory(directory: string): void {
  try {
    makeFolders(directory);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'it or a part of its path is a file' : message;
    throw new UnusableDirectory(`${directory} cannot be the data directory: ${why}; name another with --data-dir`);
  }
}

/**
 * Directories that this process has locked. SQLite's lock excludes other processes only, and closing any handle of the file
 * drops it: a second engine in this process must not even open the file.
 */
const lockedDirectories = new Set<string>();

/** Returns a function that unlocks the directory. */
export function lockDirectory(directory: string): () => void {
  const path = realpathSync(directory);
  if (lockedDirectories.has(path)) throw new DirectoryInUse(directory);
  lockedDirectories.add(path);
  return () => lockedDirectories.delete(path);
}

/** Writes the process id for the error of other processes. The lock itself is SQLite's, and ends with the process. */
export function writeOwnerFile(database: string): void {
  const ownerFile = join(dirname(database), ownerFileName);
  try {
    writeFileSync(ownerFile, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // On a full disk the server can still start and serve reads. No process id is better than a wrong one.
    rmSync(ownerFile, { force: true });
  }
}

function ownerOf(directory: string): string {
  try {
    return `process ${readFileSync(join(directory, ownerFileName), 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}
