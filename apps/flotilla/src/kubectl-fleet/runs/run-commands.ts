import { Command, InvalidArgumentError } from 'commander';
import { exampleText } from '../../example-text.ts';
import { addHubFlags, addNamespaceFlag, addOutputFlag, type HubFlags } from '../../session/hub-flags.ts';
import type { WithSession } from '../../session/session.ts';
import type { NewRunFlags, RollbackFlags } from './create-run.ts';
import type { ListRunsFlags } from './list-runs.ts';

export function runsCommand(withSession: WithSession): Command {
  const command = new Command('runs')
    .description('List update runs: how far they are, and what they wait for.')
    .option('--active', 'only runs that have not ended');
  addNamespaceFlag(command, 'only StagedUpdateRuns of this namespace (default: all runs)');
  return addHubFlags(addOutputFlag(command))
    .addHelpText('after', exampleText('kubectl fleet runs', 'kubectl fleet runs --active -n shop -o json'))
    .action((flags: HubFlags & ListRunsFlags) =>
      withSession(flags, async (session) => (await import('./list-runs.ts')).listRuns(session, flags)),
    );
}

export function rollbackCommand(withSession: WithSession): Command {
  const command = ofRun('rollback')
    .description(
      'Create a run that takes back what another one did: the resources before, only on clusters it has updated.',
    )
    .option(
      '--to-index <n>',
      'index of the resource snapshot to go back to (default: that of the run before)',
      indexIn,
    );
  return addHubFlags(command)
    .addHelpText(
      'after',
      exampleText('kubectl fleet rollback web-7', 'kubectl fleet rollback web-7 -n shop --to-index 3'),
    )
    .action((run: string, flags: HubFlags & RollbackFlags) =>
      withSession(flags, async (session) => (await import('./create-run.ts')).rollBack(session, run, flags)),
    );
}

export function rerunCommand(withSession: WithSession): Command {
  const command = ofRun('rerun').description('Create the next run of the same placement with the same strategy.');
  return addHubFlags(command)
    .addHelpText('after', exampleText('kubectl fleet rerun web-7', 'kubectl fleet rerun web-7 -n shop --name again'))
    .action((run: string, flags: HubFlags & NewRunFlags) =>
      withSession(flags, async (session) => (await import('./create-run.ts')).rerun(session, run, flags)),
    );
}

function ofRun(name: string): Command {
  const command = new Command(name)
    .argument('<run>', 'name of a run that has ended or is stopped')
    .option('--name <name>', 'name of the new run');
  return addNamespaceFlag(command, 'namespace of a StagedUpdateRun; without it, a ClusterStagedUpdateRun is meant');
}

function indexIn(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 0.');
}
