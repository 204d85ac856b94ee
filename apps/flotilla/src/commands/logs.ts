import { Command } from 'commander';
import { exampleText } from '../example-text.ts';
import type { FleetFlags } from '../fleets/find-running-fleet.ts';
import { numberOption } from '../go-options.ts';

export interface LogsOptions extends FleetFlags {
  readonly follow?: boolean;
  readonly tail?: number;
}

export function logsCommand(): Command {
  return new Command('logs')
    .description('Print the log of a fleet that runs in the background.')
    .option('--name <fleet>', 'name of the fleet (default: the one of this directory, or the only one)')
    .option('--data-dir <dir>', 'data directory of the fleet')
    .option('-f, --follow', 'print new lines as they come, until the fleet stops')
    .addOption(numberOption('--tail', 'only the last lines', { from: 0, to: 1_000_000, isInteger: true }))
    .addHelpText('after', exampleText('flotilla logs --tail 20', 'flotilla logs -f --name shop'))
    .action(async (options: LogsOptions) => (await import('../fleets/print-log.ts')).printLog(options));
}
