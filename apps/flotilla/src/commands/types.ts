import type { CustomResourceDefinition } from '@flotilla/schema';
import { Command } from 'commander';
import { exampleText } from '../example-text.ts';
import { UserError } from '../user-error.ts';

interface Options {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function typesCommand(): Command {
  return new Command('types')
    .description('Print TypeScript types for the kinds of CustomResourceDefinitions.')
    .argument('[crds...]', 'CRD files, YAML or JSON, - reads standard input; with --kubeconfig, names of CRDs')
    .option('--kubeconfig <file>', 'read CRDs from this server; all of them unless names are given')
    .option('--context <name>', 'context of --kubeconfig (default: its current one)')
    .addHelpText(
      'after',
      exampleText('flotilla types crds/*.yaml > types.ts', 'flotilla types --kubeconfig ~/.kube/config works'),
    )
    .action(run);
}

async function run(args: readonly string[], options: Options): Promise<void> {
  const [definitions, { printTypes }] = await Promise.all([definitionsIn(args, options), import('@flotilla/schema')]);
  process.stdout.write(printTypes(definitions));
}

async function definitionsIn(args: readonly string[], options: Options): Promise<CustomResourceDefinition[]> {
  const { kubeconfig, context } = options;
  if (kubeconfig !== undefined) {
    const { serverDefinitions } = await import('../server-definitions.ts');
    return serverDefinitions({ kubeconfig, context }, args);
  }
  if (context !== undefined) throw new UserError('--context only applies with --kubeconfig.');
  if (args.length === 0) throw new UserError('no CRDs given; name CRD files, or a server with --kubeconfig.');
  const { readDefinitions } = await import('../definition-files.ts');
  const definitions = [];
  for (const file of args) definitions.push(...(await readDefinitions(file)));
  return definitions;
}
