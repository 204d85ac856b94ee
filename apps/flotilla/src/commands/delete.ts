import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import { duration, numberOption } from '../go-options.ts';
import type { DeleteFlags } from '../objects/delete.ts';
import { addSelectionFlags, filenames } from '../objects/selection-flags.ts';
import { addServerFlags, type HubFlags } from '../session/hub-flags.ts';
import type { WithSession } from '../session/lazy-session.ts';

export function deleteCommand(withSession: WithSession): Command {
  const command = new Command('delete')
    .description('Delete objects by name, by label or by file, and wait until they are gone.')
    .argument('[kind...]', 'KIND NAME..., or KIND/NAME...')
    .option('-f, --filename <path>', 'delete the objects in this file or folder; - reads standard input', filenames)
    .option('-R, --recursive', 'read the folders below, too')
    .option('--all', 'all objects of the kind')
    .option('--ignore-not-found', 'exit with 0 if an object does not exist')
    .option('--no-wait', 'do not wait until the objects are gone')
    .addOption(duration('--timeout', 'time to wait until the objects are gone', { from: 1000, to: 86_400_000 }))
    .addOption(
      new Option('--cascade <policy>', 'what happens to objects that the deleted ones own')
        .choices(['background', 'foreground', 'orphan'])
        .default('background'),
    )
    .addOption(
      numberOption('--grace-period', 'seconds before a pod is killed', { from: 0, to: 86_400, isInteger: true }),
    )
    .addOption(new Option('--dry-run [strategy]', 'print what would be deleted').choices(['server']).preset('server'))
    .addOption(new Option('-o, --output <format>', 'output format').choices(['name']));
  return addServerFlags(addSelectionFlags(command))
    .addHelpText('after', exampleText('flotilla delete crp web', 'flotilla delete -f web.yaml --ignore-not-found'))
    .action((args: readonly string[], flags: HubFlags & DeleteFlags) =>
      withSession(flags, async (session) => (await import('../objects/delete.ts')).deleteObjects(session, args, flags)),
    );
}
