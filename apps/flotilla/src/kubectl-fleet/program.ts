/** The plugin `kubectl fleet`: what users of a hub do with updates, placements and clusters. */
import { Command } from 'commander';
import { addHelpHints, withFlagsAfterCommand } from '../command-words.ts';
import { exampleText } from '../example-text.ts';
import { approveCommand } from './approve/approve-command.ts';
import { drainClusterCommand, drainCommand, uncordonCommand } from './drain/drain-commands.ts';
import { placementsCommand } from './placements/placements-command.ts';
import { rerunCommand, rollbackCommand, runsCommand } from './runs/run-commands.ts';
import { withConnection, type WithSession } from '../session/session.ts';
import { versionCommand } from './version-command.ts';

/** Every command, in the order of the help. Each imports its code when it runs. */
const commands: readonly ((withSession: WithSession) => Command)[] = [
  placementsCommand,
  runsCommand,
  approveCommand,
  rollbackCommand,
  rerunCommand,
  drainCommand,
  drainClusterCommand,
  uncordonCommand,
  versionCommand,
];

export function fleetCommand(withSession: WithSession): Command {
  const program = new Command('kubectl fleet')
    .description('Manage updates, placements and clusters of a fleet.')
    .addHelpText('after', exampleText('kubectl fleet runs', 'kubectl fleet approve --help'));
  for (const command of commands) program.addCommand(command(withSession));
  addHelpHints(program, 'kubectl fleet');
  return program;
}

export async function runFleetCommand(args: readonly string[]): Promise<void> {
  const program = fleetCommand(withConnection);
  await program.parseAsync(args.length > 0 ? withFlagsAfterCommand(program, args) : ['--help'], { from: 'user' });
}
