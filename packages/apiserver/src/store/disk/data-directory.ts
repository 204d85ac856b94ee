import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const databaseName = 'flotilla.db';
const ownerName = 'flotilla.pid';

/** The directory is held by another process. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';

  constructor(directory: string) {
    super(`the data directory ${directory} is in use by ${ownerOf(directory)}`);
  }
}

export function databaseFile(directory: string): string {
  return join(directory, databaseName);
}

/** The path cannot be a data directory. */
export class UnusableDirectory extends Error {
  override readonly name = 'UnusableDirectory';
}

/** Objects include Secrets: nobody else may even look. */
export function makeDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'it or a part of its path is a file' : message;
    throw new UnusableDirectory(`${directory} cannot be the data directory: ${why}; name another with --data-dir`);
  }
}

/**
 * Directories that this process has. SQLite's lock keeps other processes away, but it is a lock of the whole process, and
 * closing any handle of the file drops it: a second start in this process must not even look at the file.
 */
const held = new Set<string>();

/** Returns what lets go of the directory again. */
export function holdDirectory(directory: string): () => void {
  const path = realpathSync(directory);
  if (held.has(path)) throw new DirectoryInUse(directory);
  held.add(path);
  return () => held.delete(path);
}

/** Notes who holds the directory. What holds it is SQLite's lock, which ends with the process however it ends. */
export function noteOwner(database: string): void {
  const note = join(dirname(database), ownerName);
  try {
    writeFileSync(note, `${process.pid}\n`, { mode: 0o600 });
  } catch {
    // On a full disk the server can still start and serve reads; better no name than a wrong one.
    rmSync(note, { force: true });
  }
}

function ownerOf(directory: string): string {
  try {
    return `process ${readFileSync(join(directory, ownerName), 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}
