import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { defaultDataDirectory } from '../data-directory.ts';
import { makeNewFile } from '../new-file.ts';
import { progressLine } from '../progress-line.ts';
import { UserFault } from '../user-fault.ts';

interface Options {
  readonly dataDir: string;
  readonly output?: 'json';
}

/** Who made the copy. */
type Source = 'server' | 'directory';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copies all that a data directory holds into a file, also while its server runs.')
    .argument('<file>', 'the copy, a new file that only its owner can read')
    .option('--data-dir <dir>', 'what to copy', defaultDataDirectory)
    .addOption(new Option('-o, --output <form>', 'for programs').choices(['json']))
    .action(run);
}

async function run(name: string, { dataDir, output }: Options): Promise<void> {
  const file = resolve(name);
  const directory = resolve(dataDir);
  const progress = progressLine('Copying');
  let source: Source = 'directory';
  const bytes = await makeNewFile(file, async (partial) => {
    source = await copy(directory, partial, progress.show);
  })
    .catch((error: unknown) => {
      throw explained(error);
    })
    .finally(progress.clear);
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ file, bytes, dataDirectory: directory, source })}\n`
      : `${file} holds all of ${directory} (${bytes.toLocaleString('en')} bytes).\n` +
          `Bring it back with: flotilla restore ${name} --data-dir NEW_DIRECTORY\n`,
  );
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
  const { copyFromServer } = await import('../running-copy.ts');
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
  const isAboutFiles = error.name === 'UnusableDatabase' || /^(?:E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code ?? '');
  return isAboutFiles ? new UserFault(`cannot make the backup: ${error.message}.`) : error;
}
