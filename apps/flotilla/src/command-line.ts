import { Command } from 'commander';
import { commandRows } from './command-rows.ts';
import { addHelpHints, withFlagsAfterCommand } from './command-words.ts';
import { exampleText } from './example-text.ts';
import { withFleet, type WithSession } from './session/lazy-session.ts';
import { version } from './version.ts';

/**
 * The program with the commands that the arguments name. All others are only what the help needs, because loading them takes longer
 * than the rest of `flotilla --help`.
 */
export async function programCommand(args: readonly string[], withSession: WithSession = withFleet): Promise<Command> {
  const program = new Command('flotilla')
    .description('Manage fleets of Kubernetes clusters.')
    .version(version, '--version')
    // A subcommand may have a flag of the same name as its parent.
    .enablePositionalOptions()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', exampleText('flotilla up --members 3', 'flotilla why --help'));
  const help = new Command('help').argument('[command]').summary('Explain a command.');
  program.addHelpCommand(help.helpGroup(commandRows.at(-1)?.group ?? ''));
  for (const row of commandRows) {
    const command = args.includes(row.name) ? await row.load(withSession) : new Command(row.name);
    program.addCommand(command.summary(row.summary).helpGroup(row.group));
  }
  addHelpHints(program, 'flotilla');
  return program.hook('preAction', async (_, command) => {
    await (await import('./configuration.ts')).applyConfiguration(command, process.env);
  });
}

export async function runCommand(): Promise<void> {
  const args = process.argv.length > 2 ? process.argv.slice(2) : ['--help'];
  const program = await programCommand(args);
  await program.parseAsync(withFlagsAfterCommand(program, args), { from: 'user' });
}
