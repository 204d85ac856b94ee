import type { Command } from 'commander';

/** Flags of commands that choose objects. */
export function addSelectionFlags(command: Command): Command {
  return command
    .option('-n, --namespace <name>', 'namespace of the objects (default: that of the context)')
    .option('-A, --all-namespaces', 'objects of all namespaces')
    .option('-l, --selector <labels>', 'only objects with these labels: region=east,tier!=test')
    .option('--field-selector <fields>', 'only objects with these fields: metadata.name=web');
}

/** The flag may be repeated, and a value may have several names. */
export function filenames(text: string, before: readonly string[] = []): string[] {
  return [...before, ...text.split(',')];
}
