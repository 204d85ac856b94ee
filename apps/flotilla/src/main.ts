import { Command } from 'commander';
import { commands, hiddenCommands } from './commands/commands.ts';
import { UserFault } from './user-fault.ts';

const program = new Command('flotilla')
  .description('Manages fleets of Kubernetes clusters.')
  .version('0.1.0', '--version')
  .showHelpAfterError('Run "flotilla --help" to see what there is.');
for (const command of commands) program.addCommand(command());
for (const command of hiddenCommands) program.addCommand(command(), { hidden: true });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof UserFault)) throw error;
  process.stderr.write(`flotilla: ${error.message}\n`);
  process.exitCode = 1;
}
