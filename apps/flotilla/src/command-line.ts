import { Command } from 'commander';
import { agentCommand } from './commands/agent.ts';
import { apiserverCommand } from './commands/apiserver.ts';
import { backupCommand } from './commands/backup.ts';
import { envtestCommand } from './commands/envtest.ts';
import { hubCommand } from './commands/hub.ts';
import { joinCommand } from './commands/join.ts';
import { memberCommand } from './commands/member.ts';
import { restoreCommand } from './commands/restore.ts';
import { typesCommand } from './commands/types.ts';
import { uninstallCommand } from './commands/uninstall.ts';
import { upCommand } from './commands/up.ts';
import { exampleText } from './example-text.ts';
import { version } from './version.ts';

/** Every command, in the order of the help. Each imports its code when it runs, so that `flotilla --help` stays fast. */
const commands: readonly (() => Command)[] = [
  upCommand,
  hubCommand,
  memberCommand,
  joinCommand,
  agentCommand,
  apiserverCommand,
  backupCommand,
  restoreCommand,
  uninstallCommand,
  typesCommand,
  envtestCommand,
];

export function programCommand(): Command {
  const program = new Command('flotilla')
    .description('Manage fleets of Kubernetes clusters.')
    .version(version, '--version')
    // A subcommand may have a flag of the same name as its parent.
    .enablePositionalOptions()
    .showHelpAfterError('Run "flotilla --help" for the list of commands.')
    .addHelpText('after', exampleText('flotilla up --members 3', 'flotilla hub --help'));
  for (const command of commands) program.addCommand(command());
  return program;
}

export async function runCommand(): Promise<void> {
  await programCommand().parseAsync();
}
