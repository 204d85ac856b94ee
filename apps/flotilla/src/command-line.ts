import { Command } from 'commander';
import { commands } from './commands/commands.ts';

/** Runs the command that somebody typed. */
export async function runCommand(): Promise<void> {
  const program = new Command('flotilla')
    .description('Manages fleets of Kubernetes clusters.')
    .version('0.1.0', '--version')
    // Commands of commands may have flags of the same name.
    .enablePositionalOptions()
    .showHelpAfterError('Run "flotilla --help" to see what there is.');
  for (const command of commands) program.addCommand(command());
  await program.parseAsync();
}
