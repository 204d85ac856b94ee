import { Command } from 'commander';
import { exampleText } from '../example-text.ts';
import { addNamespaceFlag, addOutputFlag, addServerFlags, type HubFlags } from '../session/hub-flags.ts';
import type { WithSession } from '../session/lazy-session.ts';
import type { WhyFlags } from '../why/why.ts';

export function whyCommand(withSession: WithSession): Command {
  const command = new Command('why')
    .description(
      'Explain for every cluster why a placement has chosen it or not: the plugin, the term and the value that decided, and what would have to change.',
    )
    .argument('<placement>', 'name of a ClusterResourcePlacement, or with -n of a ResourcePlacement')
    .argument('[cluster]', 'only this cluster, with all rules that reject it')
    .option('-l, --selector <labels>', 'only clusters with these labels')
    .option('--scheduler-plugin <file>', 'module with plugins of the hub; repeat it for several', repeated);
  addNamespaceFlag(command, 'namespace of a ResourcePlacement');
  return addServerFlags(addOutputFlag(command))
    .addHelpText('after', exampleText('flotilla why web', 'flotilla why web member-3 -n shop'))
    .action((placement: string, cluster: string | undefined, flags: HubFlags & WhyFlags) =>
      withSession(flags, async (session) => {
        await (await import('../why/why.ts')).explainPlacement(session, placement, cluster, flags);
      }),
    );
}

function repeated(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}
