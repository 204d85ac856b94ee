import { open, rm } from 'node:fs/promises';
import { keyFolder, writeKeyFiles } from '../credentials/credential-files.ts';
import { restoreBackup } from './restore.ts';
import { takeFiles } from './added-files.ts';
import { keysOf, type KeysOfBackup } from './backup-directory.ts';
import { keysInFiles, missingKeys } from './key-files.ts';
import { CannotUnseal, isSealed, unsealFile } from './sealed-file.ts';

interface RestoreOptions {
  readonly now: number;
  /** What the backup was encrypted with. */
  readonly secret?: Uint8Array | undefined;
}

/** Fills an empty data directory with the data and the keys of a backup. Throws `CannotRestore`, `CannotUnseal` or `UnusableDatabase`. */
export async function restoreDirectory(
  backup: string,
  directory: string,
  { now, secret }: RestoreOptions,
): Promise<KeysOfBackup> {
  const isEncrypted = await isSealed(backup).catch((error: NodeJS.ErrnoException) => {
    // The store says best what is wrong with a file that is none.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return false;
    throw error;
  });
  if (isEncrypted && secret === undefined) throw new CannotUnseal(`${backup} is encrypted`);
  let kept: KeysOfBackup = keysOf([], 0);
  await restoreBackup(backup, directory, now, {
    ...(isEncrypted && { copy: (partial) => unseal(backup, partial, secret!) }),
    complete: async (partial) => {
      const texts = keysInFiles(takeFiles(partial));
      kept = keysOf(missingKeys(texts), Object.keys(texts).length);
      await writeKeyFiles(directory, texts);
      return () => rm(keyFolder(directory), { recursive: true, force: true });
    },
  });
  return kept;
}

async function unseal(backup: string, partial: string, secret: Uint8Array): Promise<void> {
  await (await open(partial, 'wx', 0o600)).close();
  await unsealFile(backup, partial, secret);
}
