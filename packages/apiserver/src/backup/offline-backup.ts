import { databaseFile, DirectoryInUse, lockDirectory } from '../store/disk/data-directory.ts';
import { checkDatabaseHeader } from '../store/disk/database-header.ts';
import { isBusy } from '../store/sqlite/sqlite-errors.ts';
import { SqliteLog } from '../store/sqlite/sqlite-log.ts';

/** The data directory has no database. */
export class NothingToBackUp extends Error {
  override readonly name = 'NothingToBackUp';
}

/**
 * Copies the database of a data directory into a file while no server uses the directory; a running server makes its own copy.
 * Throws `DirectoryInUse`, `NothingToBackUp` or `UnusableDatabase`. `onProgress` gets the fraction that is done.
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
