import { resolve } from 'node:path';
import type { KeysOfBackup } from '@flotilla/fleet/server';
import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import { secretIn } from '../key-file.ts';
import { whileWaiting } from '../progress-line.ts';
import { UserError } from '../user-error.ts';

interface Options {
  readonly dataDir: string;
  readonly keyFile?: string;
  readonly output?: 'json';
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restore the objects and keys of a backup to an empty data directory.')
    .argument('<file>', 'file that "flotilla backup" wrote')
    .requiredOption('--data-dir <dir>', 'directory to restore to, empty or new')
    .option('--key-file <file>', 'file with the passphrase or key of the backup; - reads standard input')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json']))
    .addHelpText(
      'after',
      exampleText(
        'flotilla restore hub.backup --data-dir .data/new',
        'flotilla restore hub.backup --data-dir .data/new --key-file backup.key',
      ),
    )
    .action(run);
}

async function run(name: string, { dataDir, keyFile, output }: Options): Promise<void> {
  const { restoreDirectory } = await import('@flotilla/fleet/server');
  const file = resolve(name);
  const directory = resolve(dataDir);
  const secret = await secretIn(keyFile);
  const restored = restoreDirectory(file, directory, { now: Date.now(), secret });
  const kept = await whileWaiting('Restoring', restored).catch((error: unknown) => {
    throw explainError(error);
  });
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ file, dataDirectory: directory, ...kept })}\n`
      : `Restored ${file} to ${directory}.\n${adviceOn(kept, directory, dataDir)}`,
  );
}

/** A backup does not record whether a hub, a fleet or an API server wrote it. */
function adviceOn({ keys, missing }: KeysOfBackup, directory: string, dataDir: string): string {
  const start = `Start it as you started the original, for instance: flotilla hub --data-dir ${dataDir}`;
  switch (keys) {
    case 'all':
      return `${start}\n`;
    case 'some':
      return `The backup lacks ${missing.join(', ')}: copy them to ${directory}/pki if the start fails without them.\n${start}\n`;
    case 'none':
      return (
        'The backup has no keys, and members and kubeconfigs trust the server by its keys.\n' +
        `Copy the pki folder of the original to ${directory}, or create new keys with --new.\n${start}\n`
      );
  }
}

const remedies: Readonly<Record<string, string>> = {
  DirectoryInUse: 'name another directory with --data-dir',
  CannotRestore: 'nothing was changed',
  CannotUnseal: 'name the right key with --key-file, or restore from another backup',
  UnusableDatabase: 'restore from another backup',
};

/** Turns errors that the user can fix into UserErrors. */
function explainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'UnusableDirectory') return new UserError(`${error.message}.`);
  const next = remedies[error.name];
  if (next !== undefined) return new UserError(`${error.message}; ${next}.`);
  const { code } = error as NodeJS.ErrnoException;
  return /^(?:E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code ?? '') ? new UserError(`cannot restore: ${error.message}.`) : error;
}
