import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { databaseFile, DirectoryInUse, makeDataDirectory } from '../store/disk/data-directory.ts';
import { checkDatabaseHeader, UnusableDatabase } from '../store/disk/database-header.ts';
import { revisionLimit } from '../store/sqlite/row-id.ts';
import { isLocked, SqliteLog } from '../store/sqlite/sqlite-log.ts';

/** The directory is not empty, or the backup does not exist. The directory is unchanged. */
export class CannotRestore extends Error {
  override readonly name = 'CannotRestore';
}

interface RestoreSteps {
  /** Writes the database of the backup into a new file; by default a plain copy. */
  readonly copy?: (partial: string) => Promise<void>;
  /** Moves the added files out of the copy. Returns a function that undoes it if the restore fails later. */
  readonly complete?: (partial: string) => Promise<() => Promise<void>>;
}

/** More revisions than a server can assign in a second. */
const revisionsPerSecond = 10_000;
const smallestGap = 1_000_000;

/**
 * Restores a backup into an empty data directory.
 *
 * After the backup the old server may have assigned revisions that clients still have. If the restored server assigned them
 * again, a watch that resumes from one would silently miss changes. So each store continues above every revision that can have
 * been assigned between the backup's last write and now. It has no history before that: a client with an old revision gets
 * "expired", and lists again.
 */
export async function restoreBackup(
  backup: string,
  directory: string,
  now: number,
  { copy, complete }: RestoreSteps = {},
): Promise<void> {
  if (!copy && checkDatabaseHeader(backup) === 'absent')
    throw new CannotRestore(`the backup ${backup} does not exist or is empty`);
  refuseUnlessEmpty(directory);
  makeDataDirectory(directory);
  const database = databaseFile(directory);
  const partial = `${database}.partial`;
  let undo: (() => Promise<void>) | undefined;
  try {
    if (copy) await copy(partial);
    else copyFileSync(backup, partial, constants.COPYFILE_EXCL);
    prepare(partial, now);
    undo = await complete?.(partial);
    renameSync(partial, database);
    syncDirectory(directory);
  } catch (error) {
    await undo?.();
    // Name the backup in the error, not the copy, which is deleted below.
    throw error instanceof UnusableDatabase ? new UnusableDatabase(backup, error.problem) : error;
  } finally {
    for (const suffix of ['', '-wal', '-journal']) rmSync(partial + suffix, { force: true });
  }
}

function refuseUnlessEmpty(directory: string): void {
  if (!existsSync(directory)) return;
  const database = databaseFile(directory);
  if (existsSync(database) && isLocked(database)) throw new DirectoryInUse(directory);
  if (readdirSync(directory).length > 0) {
    throw new CannotRestore(`the data directory ${directory} is not empty; restore into an empty one`);
  }
}

function prepare(file: string, now: number): void {
  if (checkDatabaseHeader(file) === 'absent') throw new UnusableDatabase(file, 'is damaged or not a database');
  const log = SqliteLog.open(file);
  try {
    log.verify();
    const gap = revisionGap(log.newestTime(), now);
    log.skipTo(new Map(log.stores().map((store) => [store.id, log.revision(store) + gap])));
  } finally {
    log.close();
  }
}

function revisionGap(newestWrite: number, now: number): number {
  const seconds = Math.max(0, Math.ceil((now - newestWrite) / 1000));
  return Math.min(smallestGap + seconds * revisionsPerSecond, revisionLimit / 16);
}

/** A rename is durable when the directory is. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
