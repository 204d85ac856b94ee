import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { UserFault } from '../user-fault.ts';

interface Options {
  readonly dataDir: string;
  readonly output?: 'json';
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Fills an empty data directory from a backup.')
    .argument('<file>', 'a file that "flotilla backup" made')
    .requiredOption('--data-dir <dir>', 'an empty or new directory')
    .addOption(new Option('-o, --output <form>', 'for programs').choices(['json']))
    .action(run);
}

async function run(name: string, { dataDir, output }: Options): Promise<void> {
  const { restoreBackup } = await import('@flotilla/fleet/server');
  const file = resolve(name);
  const directory = resolve(dataDir);
  try {
    restoreBackup(file, directory, Date.now());
  } catch (error) {
    throw explained(error);
  }
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ file, dataDirectory: directory })}\n`
      : `${directory} holds all of ${file}.\nStart it with: flotilla apiserver --data-dir ${dataDir}\n`,
  );
}

const whatToDo: Readonly<Record<string, string>> = {
  DirectoryInUse: 'name another directory with --data-dir',
  CannotRestore: 'nothing was changed',
  UnusableDatabase: 'restore from another backup',
};

/** Faults that the user can mend become sentences. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const next = whatToDo[error.name];
  if (next !== undefined) return new UserFault(`${error.message}; ${next}.`);
  const { code } = error as NodeJS.ErrnoException;
  return /^(?:E[A-Z]+|ERR_SQLITE_ERROR)$/.test(code ?? '') ? new UserFault(`cannot restore: ${error.message}.`) : error;
}
