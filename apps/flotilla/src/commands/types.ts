import { Command } from 'commander';

export function typesCommand(): Command {
  return new Command('types')
    .description('Prints TypeScript types for the kinds that CustomResourceDefinitions define.')
    .argument('<file...>', 'definitions as YAML or JSON; - reads the standard input')
    .action(run);
}

async function run(files: readonly string[]): Promise<void> {
  const [{ readDefinitions }, { printTypes }] = await Promise.all([
    import('../definition-files.ts'),
    import('@flotilla/schema'),
  ]);
  const definitions = [];
  for (const file of files) definitions.push(...(await readDefinitions(file)));
  process.stdout.write(printTypes(definitions));
}
