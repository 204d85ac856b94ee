import type { CustomResourceDefinition } from '@flotilla/schema';
import { Command } from 'commander';
import { UserFault } from '../user-error.ts';

interface Options {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function typesCommand(): Command {
  return new Command('types')
    .description('Prints TypeScript types for the kinds that CustomResourceDefinitions define.')
    .argument(
      '[what...]',
      'files of definitions as YAML or JSON, - reads the standard input; with --kubeconfig, names of definitions',
    )
    .option('--kubeconfig <file>', 'take the definitions of this server, all of them unless some are named')
    .option('--context <name>', 'which server of the kubeconfig; else its current one')
    .action(run);
}

async function run(what: readonly string[], options: Options): Promise<void> {
  const [definitions, { printTypes }] = await Promise.all([definitionsIn(what, options), import('@flotilla/schema')]);
  process.stdout.write(printTypes(definitions));
}

async function definitionsIn(what: readonly string[], options: Options): Promise<CustomResourceDefinition[]> {
  const { kubeconfig, context } = options;
  if (kubeconfig !== undefined) {
    const { definitionsOfServer } = await import('../server-definitions.ts');
    return definitionsOfServer({ kubeconfig, context }, what);
  }
  if (context !== undefined) throw new UserFault('--context needs --kubeconfig.');
  if (what.length === 0) throw new UserFault('name files of definitions, or a server with --kubeconfig.');
  const { readDefinitions } = await import('../definition-files.ts');
  const definitions = [];
  for (const file of what) definitions.push(...(await readDefinitions(file)));
  return definitions;
}
