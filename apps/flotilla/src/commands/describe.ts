import { Command } from 'commander';
import { exampleText } from '../example-text.ts';
import type { SelectionFlags } from '../objects/selected-objects.ts';
import { addSelectionFlags } from '../objects/selection-flags.ts';
import { addServerFlags, type HubFlags } from '../session/hub-flags.ts';
import type { WithSession } from '../session/lazy-session.ts';

export function describeCommand(withSession: WithSession): Command {
  const command = new Command('describe')
    .description('Print all fields of objects in words, and their events.')
    .argument('<kind...>', 'KIND [NAME...], or KIND/NAME...');
  return addServerFlags(addSelectionFlags(command))
    .addHelpText('after', exampleText('flotilla describe membercluster member-1', 'flotilla describe crp -l team=shop'))
    .action((args: readonly string[], flags: HubFlags & SelectionFlags) =>
      withSession(flags, async (session) => {
        await (await import('../objects/describe.ts')).describeObjects(session, args, flags);
      }),
    );
}
