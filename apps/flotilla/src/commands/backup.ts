import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { KeysOfBackup } from '@flotilla/fleet/server';
import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import { secretIn } from '../key-file.ts';
import { kubeconfigIn } from '../own-kubeconfig.ts';
import { makeNewFile } from '../new-file.ts';
import { percent, progressLine } from '../progress-line.ts';
import { UserError } from '../user-error.ts';

interface Options {
  readonly dataDir?: string;
  readonly keyFile?: string;
  readonly output?: 'json';
}

/** What the copy was made from: a running server, or the directory of a stopped one. */
type Source = 'server' | 'directory';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy the objects and keys of a data directory to a file, also while its server runs.')
    .argument('<file>', 'file to create, readable by its owner only')
    .option('--data-dir <dir>', 'data directory to copy (default: .data/fleet or .data/hub, whichever exists)')
    .option('--key-file <file>', 'encrypt with the passphrase or key in this file; - reads standard input')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json']))
    .addHelpText(
      'after',
      exampleText(
        'flotilla backup hub.backup --key-file backup.key',
        'flotilla backup shop.backup --data-dir .data/shop',
      ),
    )
    .action(run);
}

async function run(name: string, { dataDir, keyFile, output }: Options): Promise<void> {
  const file = resolve(name);
  const directory = resolve(dataDir ?? (await defaultDirectory()));
  const secret = await secretIn(keyFile);
  const { backupDirectory } = await import('@flotilla/fleet/server');
  const progress = progressLine('Copying');
  let source: Source = 'directory';
  let kept: KeysOfBackup = { keys: 'none', missing: [] };
  const copyDatabase = async (target: string): Promise<void> => {
    source = await copy(directory, target, (share) => progress.show(percent(share)));
  };
  const bytes = await makeNewFile(file, async (partial) => {
    kept = await backupDirectory({ directory, file: partial, secret, copyDatabase });
  })
    .catch((error: unknown) => {
      throw explainError(error);
    })
    .finally(progress.clear);
  const isEncrypted = secret !== undefined;
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ file, bytes, dataDirectory: directory, source, isEncrypted, ...kept })}\n`
      : `${file} holds the objects of ${directory}${contentOf(kept, directory)} (${bytes.toLocaleString('en')} bytes).\n` +
          `${adviceOn(kept, isEncrypted)}Restore it with: flotilla restore ${name} --data-dir NEW_DIRECTORY` +
          `${isEncrypted ? ' --key-file FILE' : ''}\n`,
  );
}

/** That of a fleet, or that of a hub. */
async function defaultDirectory(): Promise<string> {
  const { defaultDirectories } = await import('../fleets/fleet-directory.ts');
  const found = defaultDirectories.filter((directory) => existsSync(directory));
  if (found.length > 1) {
    throw new UserError(`there are ${found.join(' and ')}; choose one with --data-dir.`);
  }
  return found[0] ?? defaultDirectories[0];
}

function contentOf({ keys, missing }: KeysOfBackup, directory: string): string {
  switch (keys) {
    case 'all':
      return ' and its keys';
    case 'some':
      return ` and its keys, except ${missing.join(', ')}: missing in ${directory}/pki`;
    case 'none':
      return `, but no keys: ${directory}/pki has none`;
  }
}

function adviceOn({ keys }: KeysOfBackup, isEncrypted: boolean): string {
  if (isEncrypted) return 'It is encrypted. Keep the key file elsewhere: without it the backup is lost.\n';
  return keys === 'none'
    ? ''
    : 'It is not encrypted: anyone who can read it can act as the server and all its users.\n';
}

/** Copies the files if no server uses the directory, and otherwise requests the copy from that server. */
async function copy(directory: string, file: string, onProgress: (share: number) => void): Promise<Source> {
  const { DirectoryInUse, offlineBackup } = await import('@flotilla/fleet/server');
  try {
    await offlineBackup(directory, file, onProgress);
    return 'directory';
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    await requestCopy(directory, file, onProgress, error.message);
    return 'server';
  }
}

async function requestCopy(
  directory: string,
  file: string,
  onProgress: (share: number) => void,
  holder: string,
): Promise<void> {
  const { readAccess } = await import('../kubeconfig-file.ts');
  const kubeconfig = kubeconfigIn(directory);
  const access = await readAccess(kubeconfig);
  if (!access) {
    throw new UserError(`${holder}, and ${kubeconfig} does not name its address; stop the server and try again.`);
  }
  const { copyFromServer } = await import('../copy-from-server.ts');
  await copyFromServer(access, file, onProgress).catch((error: Error) => {
    const next = 'nothing was written; try again, or stop the server first';
    throw new UserError(`${holder}, and its server at ${access.url} failed to copy it: ${error.message}; ${next}.`);
  });
}

/** Turns errors that the user can fix into UserErrors. */
function explainError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  if (error.name === 'NothingToBackUp') return new UserError(`${error.message}; name another with --data-dir.`);
  const { code } = error as NodeJS.ErrnoException;
  const isAboutFiles =
    ['UnusableDatabase', 'UnusableCredentials'].includes(error.name) ||
    /^(?:E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code ?? '');
  return isAboutFiles ? new UserError(`cannot make the backup: ${error.message}.`) : error;
}
