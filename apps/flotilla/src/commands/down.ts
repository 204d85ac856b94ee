import { Command, Option } from 'commander';
import { exampleText } from '../example-text.ts';
import type { FleetFlags } from '../fleets/find-running-fleet.ts';
import { duration } from '../go-options.ts';

export interface DownOptions extends FleetFlags {
  /** Milliseconds. */
  readonly timeout: number;
  readonly output?: 'json';
}

const defaultTimeoutMs = 30_000;

export function downCommand(): Command {
  return new Command('down')
    .description('Stop a fleet that "flotilla up" runs. Its data stays.')
    .option('--name <fleet>', 'name of the fleet (default: the one of this directory, or the only one)')
    .option('--data-dir <dir>', 'data directory of the fleet')
    .addOption(
      duration('--timeout', 'time to wait until it has stopped', { from: 1000, to: 600_000 }).default(
        defaultTimeoutMs,
        '30s',
      ),
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json']))
    .addHelpText('after', exampleText('flotilla down', 'flotilla down --name shop'))
    .action(async (options: DownOptions) => (await import('../fleets/stop-fleet.ts')).stopFleet(options));
}
