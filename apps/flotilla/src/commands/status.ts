import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import { print } from '../server-flags.ts';
import { addOutputFlag, addServerFlags, type HubFlags } from '../session/hub-flags.ts';
import type { WithSession } from '../session/lazy-session.ts';
import type { StatusFlags } from '../status/status.ts';

export function statusCommand(withSession: WithSession): Command {
  const command = new Command('status')
    .description('Print the fleet at a glance: members, placements, update runs, and what is stuck and why.')
    .option('-w, --watch', 'print it again whenever it changes, until it is stopped')
    .addOption(
      new Option('--name <fleet>', 'name of a fleet that "flotilla up" runs').conflicts(['kubeconfig', 'context']),
    );
  return addServerFlags(addOutputFlag(command))
    .addHelpText('after', exampleText('flotilla status', 'flotilla status --watch', 'flotilla status --name shop'))
    .action(async ({ name, ...options }: HubFlags & StatusFlags & { readonly name?: string }) => {
      const flags = { ...options, ...(name !== undefined && (await addressOf(name))) };
      const { localFleets } = await import('../status/local-fleets.ts');
      const { lines, isUndecided, explain } = await localFleets(flags);
      if (isUndecided) return print(lines.join('\n'));
      await withSession(flags, async (session) => {
        await (await import('../status/status.ts')).showStatus(session, flags, lines);
      }).catch((error: unknown) => {
        throw explain(error);
      });
    });
}

async function addressOf(name: string): Promise<{ kubeconfig: string; context: string }> {
  const { findRunningFleet } = await import('../fleets/find-running-fleet.ts');
  const { kubeconfig, hubContext } = await findRunningFleet({ name });
  return { kubeconfig, context: hubContext };
}
