import { resolve } from 'node:path';
import type { KeysOfBackup } from '@flotilla/fleet/server';
import { Command, Option } from 'commander';
import { secretIn } from '../key-file.ts';
import { UserFault } from '../user-error.ts';

interface Options {
  readonly dataDir: string;
  readonly keyFile?: string;
  readonly output?: 'json';
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Fills an empty data directory with the objects and the keys of a backup.')
    .argument('<file>', 'a file that "flotilla backup" made')
    .requiredOption('--data-dir <dir>', 'an empty or new directory')
    .option('--key-file <file>', 'the file that the backup was encrypted with; - reads the standard input')
    .addOption(new Option('-o, --output <form>', 'for programs').choices(['json']))
    .action(run);
}

async function run(name: string, { dataDir, keyFile, output }: Options): Promise<void> {
  const { restoreDirectory } = await import('@flotilla/fleet/server');
  const file = resolve(name);
  const directory = resolve(dataDir);
  const secret = await secretIn(keyFile);
  const kept = await restoreDirectory(file, directory, { now: Date.now(), secret }).catch((error: unknown) => {
    throw explained(error);
  });
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ file, dataDirectory: directory, ...kept })}\n`
      : `${directory} holds all of ${file}.\n${adviceOn(kept, directory, dataDir)}`,
  );
}

/** Whether a hub, a fleet or a server was kept there is for the user to know. */
function adviceOn({ keys, missing }: KeysOfBackup, directory: string, dataDir: string): string {
  const start = `Start it as you started the original, for instance: flotilla hub --data-dir ${dataDir}`;
  switch (keys) {
    case 'all':
      return `${start}\n`;
    case 'some':
      return `It lacks ${missing.join(', ')}: put them into ${directory}/pki if the server asks for them.\n${start}\n`;
    case 'none':
      return (
        'It lacks the keys, since the backup has none: members and kubeconfigs know the server by them.\n' +
        `Put the folder pki of the original into ${directory}, or make new keys with --new.\n${start}\n`
      );
  }
}

const whatToDo: Readonly<Record<string, string>> = {
  DirectoryInUse: 'name another directory with --data-dir',
  CannotRestore: 'nothing was changed',
  CannotUnseal: 'name the right key with --key-file, or restore from another backup',
  UnusableDatabase: 'restore from another backup',
};

/** Faults that the user can mend become sentences. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'UnusableDirectory') return new UserFault(`${error.message}.`);
  const next = whatToDo[error.name];
  if (next !== undefined) return new UserFault(`${error.message}; ${next}.`);
  const { code } = error as NodeJS.ErrnoException;
  return /^(?:E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code ?? '') ? new UserFault(`cannot restore: ${error.message}.`) : error;
}
