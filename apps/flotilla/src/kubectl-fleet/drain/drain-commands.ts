import { Command } from 'commander';
import { exampleText } from '../../example-text.ts';
import { UserError } from '../../user-error.ts';
import { addHubFlags, type HubFlags } from '../../session/hub-flags.ts';
import type { WithSession } from '../../session/session.ts';

interface ClusterFlag extends HubFlags {
  readonly clusterName?: string;
}

export function drainCommand(withSession: WithSession): Command {
  const command = new Command('drain')
    .description('Empty a cluster: keep new placements away, evict what is there, and wait until it is gone.')
    .argument('<cluster>', 'name of the MemberCluster');
  return addHubFlags(command)
    .addHelpText('after', exampleText('kubectl fleet drain east-1', 'kubectl fleet drain east-1 --timeout 1h'))
    .action((cluster: string, flags: HubFlags) =>
      withSession(flags, async (session) => (await import('./drain.ts')).drain(session, cluster)),
    );
}

export function drainClusterCommand(withSession: WithSession): Command {
  const command = new Command('draincluster')
    .description("Evict placements from a cluster as KubeFleet's plugin does: budgets are not waited for.")
    .requiredOption('--cluster-name <name>', 'name of the MemberCluster');
  return addHubFlags(command)
    .addHelpText(
      'after',
      exampleText(
        'kubectl fleet draincluster --cluster-name east-1 --hub-cluster-context hub',
        'kubectl fleet draincluster --cluster-name east-1',
      ),
    )
    .action((flags: ClusterFlag) =>
      withSession(flags, async (session) =>
        (await import('./drain-cluster.ts')).drainCluster(session, flags.clusterName ?? ''),
      ),
    );
}

export function uncordonCommand(withSession: WithSession): Command {
  const command = new Command('uncordoncluster')
    .alias('uncordon')
    .description('Let a drained cluster get placements again.')
    .argument('[cluster]', 'name of the MemberCluster')
    .option('--cluster-name <name>', 'the name as a flag');
  return addHubFlags(command)
    .addHelpText(
      'after',
      exampleText('kubectl fleet uncordon east-1', 'kubectl fleet uncordoncluster --cluster-name east-1'),
    )
    .action(async (given: string | undefined, flags: ClusterFlag) => {
      const cluster = given ?? flags.clusterName;
      if (cluster === undefined) throw new UserError('name a cluster: kubectl fleet uncordon CLUSTER');
      await withSession(flags, async (session) => {
        const { uncordon } = await import('./cordon.ts');
        await uncordon(session, cluster);
        session.print(`uncordoned member cluster ${cluster}`);
      });
    });
}
