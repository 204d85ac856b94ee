import { Command, InvalidArgumentError } from 'commander';
import { addLogLevel, addServerFlags, type ServerFlags } from '../server-flags.ts';

export interface UpFlags extends ServerFlags {
  readonly members?: number;
}

/** One data directory has room for so many clusters. */
const mostMembers = 2000;

export function upCommand(): Command {
  const command = addServerFlags(new Command('up'))
    .description('Runs a fleet in one process: a hub, and members that are simulated clusters.')
    .option(
      '--members <n>',
      'how many clusters join the hub (default: those in the data directory, or 3)',
      memberCount,
    );
  return addLogLevel(command).action(async (flags: UpFlags) => {
    const { runFleet } = await import('../up/run-fleet.ts');
    await runFleet(flags);
  });
}

function memberCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > mostMembers) {
    throw new InvalidArgumentError(`A fleet has from 0 to ${mostMembers} members.`);
  }
  return count;
}
