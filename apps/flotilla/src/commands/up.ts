import { Command, InvalidArgumentError } from 'commander';
import { exampleText } from '../example-text.ts';
import { addLogLevel, addServerFlags, type ServerFlags } from '../server-flags.ts';

export interface UpFlags extends ServerFlags {
  readonly members?: number;
}

/** Largest number of clusters that one data directory is built for. */
const maxMembers = 2000;

export function upCommand(): Command {
  const command = addServerFlags(new Command('up'))
    .description('Run a fleet in one process: a hub, and simulated clusters that join it.')
    .option('--members <n>', 'number of members (default: those in the data directory, or 3)', memberCount)
    .addHelpText('after', exampleText('flotilla up --members 5', 'flotilla up --memory --port 0'));
  return addLogLevel(command).action(async (flags: UpFlags) => {
    const { runFleet } = await import('../up/run-fleet.ts');
    await runFleet(flags);
  });
}

function memberCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > maxMembers) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maxMembers}.`);
  }
  return count;
}
