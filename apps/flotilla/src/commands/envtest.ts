import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import { shellQuoted } from '../shell-quoted.ts';
import { UserError } from '../user-error.ts';
import { homeDirectory } from '../home-directory.ts';

interface Options {
  readonly dir?: string;
  readonly output?: 'json';
}

export function envtestCommand(): Command {
  return new Command('envtest')
    .description("Create a KUBEBUILDER_ASSETS folder, so that controller-runtime's envtest starts Flotilla's servers.")
    .option('--dir <dir>', 'folder to create (default: flotilla/envtest in the user cache directory)')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json']))
    .addHelpText(
      'after',
      exampleText('eval "$(flotilla envtest)" && go test ./...', 'flotilla envtest --dir bin/envtest -o json'),
    )
    .action(run);
}

async function run({ dir, output }: Options): Promise<void> {
  const { prepareAssets } = await import('../envtest/assets-folder.ts');
  const folder = resolve(dir ?? defaultFolder());
  const programs = explainErrorsOf(() => prepareAssets(folder, process.env['PATH'] ?? ''));
  process.stdout.write(
    output === 'json'
      ? `${JSON.stringify({ directory: folder, programs, env: { KUBEBUILDER_ASSETS: folder } })}\n`
      : `export KUBEBUILDER_ASSETS=${shellQuoted(folder)}\n`,
  );
}

function defaultFolder(): string {
  const caches = process.env['XDG_CACHE_HOME'];
  return join(caches === undefined || caches === '' ? join(homeDirectory(), '.cache') : caches, 'flotilla', 'envtest');
}

/** Turns errors that the user can fix into UserErrors. */
function explainErrorsOf<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof UserError || !/^E[A-Z]+$/.test(code ?? '')) throw error;
    throw new UserError(`cannot create the folder: ${message}.`, { cause: error });
  }
}
