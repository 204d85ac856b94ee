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

/** Thrown when a directory cannot take a backup; nothing in it was changed. */
export class CannotRestore extends Error {
  override readonly name = 'CannotRestore';
}

interface RestoreSteps {
  /** Writes the database of the backup into a new file; a plain copy unless something else is said. */
  readonly copy?: (partial: string) => Promise<void>;
  /** Takes what is not the store's out of the copy; the result undoes it if the restore fails later. */
  readonly complete?: (partial: string) => Promise<() => Promise<void>>;
}

/** More revisions than a server can give out in a second. */
const revisionsPerSecond = 10_000;
const smallestGap = 1_000_000;

/**
 * Fills an empty data directory from a backup.
 *
 * After the backup the old server may have gone on and given out revisions that clients still hold. If the restored server
 * gave them out again, a watch that resumes from one would miss changes without a word. So each store goes on above every
 * revision that can have been given out between the backup's last write and now, with no history before that: whoever comes
 * with an old revision is told that it has expired, and lists again.
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
    // The copy is gone in a moment; what is wrong with it is wrong with the backup.
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
    throw new CannotRestore(`the data directory ${directory} is not empty; a backup is restored into an empty one`);
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
