import { resolve } from 'node:path';
import type { KeysOfBackup } from '@flotilla/fleet/server';
import { Command, Option } from 'commander';
import { defaultDataDirectory } from '../data-directory.ts';
import { secretIn } from '../key-file.ts';
import { makeNewFile } from '../new-file.ts';
import { progressLine } from '../progress-line.ts';
import { UserFault } from '../user-error.ts';

interface Options {
  readonly dataDir: string;
  readonly keyFile?: string;
  readonly output?: 'json';
}

/** Who made the copy. */
type Source = 'server' | 'directory';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copies the objects and the keys of a data directory into a file, also while its server runs.')
    .argument('<file>', 'the copy, a new file that only its owner can read')
    .option('--data-dir <dir>', 'what to copy', defaultDataDirectory)
    .option('--key-file <file>', 'encrypt the copy with the passphrase or key in this file; - reads the standard input')
    .addOption(new Option('-o, --output <form>', 'for programs').choices(['json']))
    .action(run);
}

async function run(name: string, { dataDir, keyFile, output }: Options): Promise<void> {
  const file = resolve(name);
  const directory = resolve(dataDir);
  const secret = await secretIn(keyFile);
  const { backupDirectory } = await import('@flotilla/fleet/server');
  const progress = progressLine('Copying');
  let source: Source = 'directory';
  let kept: KeysOfBackup = { keys: 'none', missing: [] };
  const copyDatabase = async (target: string): Promise<void> => {
    source = await copy(directory, target, progress.show);
  };
  const bytes = await makeNewFile(file, async (partial) => {
    kept = await backupDirectory({ directory, file: partial, secret, copyDatabase });
  })
    .catch((error: unknown) => {
      throw explained(error);
    })
    .finally(progress.clear);
  const isEncrypted = secret !== undefined;
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ file, bytes, dataDirectory: directory, source, isEncrypted, ...kept })}\n`
      : `${file} holds the objects of ${directory}${contentOf(kept, directory)} (${bytes.toLocaleString('en')} bytes).\n` +
          `${adviceOn(kept, isEncrypted)}Bring it back with: flotilla restore ${name} --data-dir NEW_DIRECTORY` +
          `${isEncrypted ? ' --key-file FILE' : ''}\n`,
  );
}

function contentOf({ keys, missing }: KeysOfBackup, directory: string): string {
  switch (keys) {
    case 'all':
      return ' and its keys';
    case 'some':
      return ` and its keys, but not ${missing.join(', ')}, which ${directory}/pki does not have`;
    case 'none':
      return `, but no keys, since ${directory}/pki has none`;
  }
}

function adviceOn({ keys }: KeysOfBackup, isEncrypted: boolean): string {
  if (isEncrypted) return 'It is encrypted. Keep the key file elsewhere: without it the backup is lost.\n';
  return keys === 'none' ? '' : 'It is not encrypted: who reads it can act as the server and everybody it knows.\n';
}

/** Whoever has the directory copies it: its server if one runs, else we. */
async function copy(directory: string, file: string, onProgress: (share: number) => void): Promise<Source> {
  const { DirectoryInUse, offlineBackup } = await import('@flotilla/fleet/server');
  try {
    await offlineBackup(directory, file, onProgress);
    return 'directory';
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    await askServer(directory, file, onProgress, error.message);
    return 'server';
  }
}

async function askServer(
  directory: string,
  file: string,
  onProgress: (share: number) => void,
  holder: string,
): Promise<void> {
  const { kubeconfigIn, readAccess } = await import('../kubeconfig-file.ts');
  const kubeconfig = kubeconfigIn(directory);
  const access = await readAccess(kubeconfig);
  if (!access) {
    throw new UserFault(`${holder}, and ${kubeconfig} does not say how to reach it; stop it and try again.`);
  }
  const { copyFromServer } = await import('../copy-from-server.ts');
  await copyFromServer(access, file, onProgress).catch((error: Error) => {
    const next = 'Nothing was written. Try again, or stop the server and try again.';
    throw new UserFault(`${holder}; asked for a copy at ${access.url}, it failed: ${error.message}. ${next}`);
  });
}

/** Faults that the user can mend become sentences. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserFault) return error;
  if (error.name === 'NothingToBackUp') return new UserFault(`${error.message}; name another with --data-dir.`);
  const { code } = error as NodeJS.ErrnoException;
  const isAboutFiles =
    ['UnusableDatabase', 'UnusableCredentials'].includes(error.name) ||
    /^(?:E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code ?? '');
  return isAboutFiles ? new UserFault(`cannot make the backup: ${error.message}.`) : error;
}
