import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readKeyFiles } from '../credentials/credential-files.ts';
import { addFiles } from './added-files.ts';
import { filesOfKeys, missingKeys } from './key-files.ts';
import { sealFile } from './sealed-file.ts';

interface BackupOptions {
  readonly directory: string;
  /** What to write: a file that is there, is empty, and is readable by its owner alone. */
  readonly file: string;
  /** Encrypts the backup. */
  readonly secret?: Uint8Array | undefined;
  /** Writes a copy of the database into a file. */
  readonly copyDatabase: (file: string) => Promise<void>;
}

/** Names of key files. */
export interface KeysOfBackup {
  readonly keys: 'all' | 'some' | 'none';
  readonly missing: readonly string[];
}

/** Copies the data and the keys of a directory. The keys are read here, from disk: no server gives them out. */
export async function backupDirectory(options: BackupOptions): Promise<KeysOfBackup> {
  const { directory, file, secret, copyDatabase } = options;
  if (secret === undefined) return fill(directory, file, copyDatabase);
  // What is not encrypted yet stays where the keys are anyway.
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
