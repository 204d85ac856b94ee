import { Command } from 'commander';
import { exampleText } from '../example-text.ts';
import { addNamespaceFlag, addOutputFlag, addServerFlags, type HubFlags } from '../session/hub-flags.ts';
import type { WithSession } from '../session/lazy-session.ts';
import type { TreeFlags } from '../tree/tree.ts';

export function treeCommand(withSession: WithSession): Command {
  const command = new Command('tree')
    .description('Print a placement with its snapshots, bindings, Works and objects, and the state of each.')
    .argument('<placement>', 'name of a ClusterResourcePlacement, or with -n of a ResourcePlacement')
    .argument('[cluster]', 'only what is on this cluster');
  addNamespaceFlag(command, 'namespace of a ResourcePlacement');
  return addServerFlags(addOutputFlag(command))
    .addHelpText('after', exampleText('flotilla tree web', 'flotilla tree web member-1 -n shop'))
    .action((placement: string, cluster: string | undefined, flags: HubFlags & TreeFlags) =>
      withSession(flags, async (session) => {
        await (await import('../tree/tree.ts')).showTree(session, placement, cluster, flags);
      }),
    );
}
