import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readKeyFiles } from '../credentials/credential-files.ts';
import { addFiles } from './added-files.ts';
import { filesOfKeys, missingKeys } from './key-files.ts';
import { sealFile } from './sealed-file.ts';

interface BackupOptions {
  readonly directory: string;
  /** The backup: an existing, empty file that only its owner can read. */
  readonly file: string;
  /** Encrypts the backup. */
  readonly secret?: Uint8Array | undefined;
  /** Writes a copy of the database into a file. */
  readonly copyDatabase: (file: string) => Promise<void>;
}

/** Which key files a backup has; `missing` has file names. */
export interface KeysOfBackup {
  readonly keys: 'all' | 'some' | 'none';
  readonly missing: readonly string[];
}

/** Backs up data and keys of a directory. Reads the keys from disk, because no server returns them. */
export async function backupDirectory(options: BackupOptions): Promise<KeysOfBackup> {
  const { directory, file, secret, copyDatabase } = options;
  if (secret === undefined) return fill(directory, file, copyDatabase);
  // The unencrypted copy stays in the data directory, where the keys are anyway.
  const plain = join(directory, `backup-${process.pid}.tmp`);
  try {
    await (await open(plain, 'wx', 0o600)).close();
    const kept = await fill(directory, plain, copyDatabase);
    await sealFile(plain, file, secret);
    return kept;
  } finally {
    await rm(plain, { force: true });
  }
}

async function fill(
  directory: string,
  file: string,
  copyDatabase: (file: string) => Promise<void>,
): Promise<KeysOfBackup> {
  await copyDatabase(file);
  const texts = await readKeyFiles(directory);
  addFiles(file, filesOfKeys(texts));
  return keysOf(missingKeys(texts), Object.keys(texts).length);
}

export function keysOf(missing: readonly string[], count: number): KeysOfBackup {
  return { keys: missing.length === 0 ? 'all' : count === 0 ? 'none' : 'some', missing };
}
