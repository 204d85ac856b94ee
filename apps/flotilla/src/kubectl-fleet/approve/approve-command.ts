import { Command } from 'commander';
import { exampleText } from '../../example-text.ts';
import { addHubFlags, addNamespaceFlag, addOutputFlag, type HubFlags } from '../../session/hub-flags.ts';
import type { WithSession } from '../../session/session.ts';
import type { ApproveFlags } from './approve.ts';

export function approveCommand(withSession: WithSession): Command {
  const command = new Command('approve')
    .description('Approve a request of an update run, or list the requests that wait.')
    .argument('[kind]', 'clusterapprovalrequest (careq) or approvalrequest (areq); may be left out')
    .argument('[name]', 'name of the request, or RUN-STAGE')
    .option('--name <name>', 'the name as a flag');
  addNamespaceFlag(command, 'namespace of an ApprovalRequest; without it, a ClusterApprovalRequest is meant');
  return addHubFlags(addOutputFlag(command))
    .addHelpText(
      'after',
      exampleText(
        'kubectl fleet approve',
        'kubectl fleet approve web-canary',
        'kubectl fleet approve areq --name web-before-prod -n shop',
      ),
    )
    .action(async (kind: string | undefined, name: string | undefined, flags: HubFlags & ApproveFlags) => {
      const { approvalTarget } = await import('./approval-target.ts');
      const words = [kind, name].filter((word) => word !== undefined);
      const target = approvalTarget(words, flags);
      await withSession(flags, async (session) => (await import('./approve.ts')).approve(session, target, flags));
    });
}
