import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { UserFault } from '../user-error.ts';

interface Options {
  readonly dir?: string;
  readonly output?: 'json';
}

export function envtestCommand(): Command {
  return new Command('envtest')
    .description(
      "Makes a folder that controller-runtime's envtest takes for Kubernetes: servers in memory, ready at once.",
    )
    .option('--dir <dir>', 'the folder (default: flotilla/envtest among your caches)')
    .addOption(new Option('-o, --output <form>', 'for programs').choices(['json']))
    .addHelpText('after', '\nUse it: eval "$(flotilla envtest)" && go test ./...')
    .action(run);
}

async function run({ dir, output }: Options): Promise<void> {
  const { prepareAssets } = await import('../envtest/assets-folder.ts');
  const folder = resolve(dir ?? defaultFolder());
  const programs = preparing(() => prepareAssets(folder, process.env['PATH'] ?? ''));
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ directory: folder, programs, env: { KUBEBUILDER_ASSETS: folder } })}\n`
      : `export KUBEBUILDER_ASSETS=${shellQuoted(folder)}\n`,
  );
}

function defaultFolder(): string {
  const caches = process.env['XDG_CACHE_HOME'];
  return join(caches === undefined || caches === '' ? join(homedir(), '.cache') : caches, 'flotilla', 'envtest');
}

/** Faults that the user can mend become sentences. */
function preparing<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof UserFault || !/^E[A-Z]+$/.test(code ?? '')) throw error;
    throw new UserFault(`cannot make the folder: ${message}.`, { cause: error });
  }
}

/** As one word of a shell, whatever is in it. */
function shellQuoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
