import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import type { GetFlags } from '../objects/get.ts';
import { addSelectionFlags } from '../objects/selection-flags.ts';
import { addServerFlags, type HubFlags } from '../session/hub-flags.ts';
import type { WithSession } from '../session/lazy-session.ts';

export function getCommand(withSession: WithSession): Command {
  const command = new Command('get')
    .description('List objects of one or more kinds as the server prints them, or print single ones.')
    .argument('<kind...>', 'KIND[,KIND...] [NAME...], or KIND/NAME...')
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json', 'yaml', 'name', 'wide']))
    .option('-w, --watch', 'print changes after the list, until it is stopped')
    .option('--show-labels', 'print labels in the last column')
    .option('--ignore-not-found', 'exit with 0 if an object does not exist');
  return addServerFlags(addSelectionFlags(command))
    .addHelpText('after', exampleText('flotilla get memberclusters', 'flotilla get deploy/web -n shop -o yaml'))
    .action((args: readonly string[], flags: HubFlags & GetFlags) =>
      withSession(flags, async (session) => (await import('../objects/get.ts')).getObjects(session, args, flags)),
    );
}
