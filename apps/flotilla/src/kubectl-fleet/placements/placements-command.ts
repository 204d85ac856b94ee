import { Command } from 'commander';
import { exampleText } from '../../example-text.ts';
import { addHubFlags, addNamespaceFlag, addOutputFlag, type HubFlags } from '../../session/hub-flags.ts';
import type { WithSession } from '../../session/session.ts';
import type { ListPlacementsFlags } from './list-placements.ts';

export function placementsCommand(withSession: WithSession): Command {
  const command = new Command('placements')
    .description('List placements cluster by cluster: what is where, and what is wrong there.')
    .argument('[name]', 'only placements of this name')
    .option('--cluster <name>', 'only what is on this cluster');
  addNamespaceFlag(command, 'only ResourcePlacements of this namespace (default: all placements)');
  return addHubFlags(addOutputFlag(command))
    .addHelpText('after', exampleText('kubectl fleet placements', 'kubectl fleet placements --cluster east-1 -o json'))
    .action((name: string | undefined, flags: HubFlags & ListPlacementsFlags) =>
      withSession(flags, async (session) => {
        await (await import('./list-placements.ts')).listPlacements(session, name, flags);
      }),
    );
}
