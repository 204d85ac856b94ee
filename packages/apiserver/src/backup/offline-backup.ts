import { databaseFile, DirectoryInUse, lockDirectory } from '../store/disk/data-directory.ts';
import { checkDatabaseHeader } from '../store/disk/database-header.ts';
import { isBusy } from '../store/sqlite/sqlite-errors.ts';
import { SqliteLog } from '../store/sqlite/sqlite-log.ts';

/** There is nothing to copy. */
export class NothingToBackUp extends Error {
  override readonly name = 'NothingToBackUp';
}

/**
 * Copies all that a data directory holds into a file, while no server has the directory; one that runs makes its own copy.
 * Throws `DirectoryInUse`, `NothingToBackUp` or `UnusableDatabase`. `onProgress` hears which share is done.
 */
export async function offlineBackup(
  directory: string,
  file: string,
  onProgress?: (share: number) => void,
): Promise<void> {
  const database = databaseFile(directory);
  if (checkDatabaseHeader(database) === 'absent') {
    throw new NothingToBackUp(`the data directory ${directory} does not exist or holds nothing yet`);
  }
  const release = lockDirectory(directory);
  try {
    const log = openLog(directory, database);
    try {
      log.verify();
      await log.backup(file, onProgress);
    } finally {
      log.close();
    }
  } finally {
    release();
  }
}

function openLog(directory: string, database: string): SqliteLog {
  try {
    return SqliteLog.open(database);
  } catch (error) {
    throw isBusy(error) ? new DirectoryInUse(directory) : error;
  }
}
