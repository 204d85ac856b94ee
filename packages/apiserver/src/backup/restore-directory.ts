import { open, rm } from 'node:fs/promises';
import { keyFolder, writeKeyFiles } from '../credentials/credential-files.ts';
import { restoreBackup } from './restore.ts';
import { extractFiles } from './added-files.ts';
import { keysOf, type KeysOfBackup } from './backup-directory.ts';
import { keysInFiles, missingKeys } from './key-files.ts';
import { CannotUnseal, isSealed, unsealFile } from './sealed-file.ts';

interface RestoreOptions {
  readonly now: number;
  /** Decrypts the backup. */
  readonly secret?: Uint8Array | undefined;
}

/** Restores data and keys into an empty data directory. Throws `CannotRestore`, `CannotUnseal` or `UnusableDatabase`. */
export async function restoreDirectory(
  backup: string,
  directory: string,
  { now, secret }: RestoreOptions,
): Promise<KeysOfBackup> {
  const isEncrypted = await isSealed(backup).catch((error: NodeJS.ErrnoException) => {
    // `restoreBackup` reports a missing file.
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return false;
    throw error;
  });
  if (isEncrypted && secret === undefined) throw new CannotUnseal(`${backup} is encrypted`);
  let kept: KeysOfBackup = keysOf([], 0);
  await restoreBackup(backup, directory, now, {
    ...(isEncrypted && { copy: (partial) => unseal(backup, partial, secret!) }),
    complete: async (partial) => {
      const texts = keysInFiles(extractFiles(partial));
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
