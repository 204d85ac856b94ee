import { Command, InvalidArgumentError, Option } from 'commander';
import { addAuditFlags, type AuditFlags } from '../audit-flags.ts';
import { addAuthenticationFlags, type AuthenticationFlags } from '../authentication-flags.ts';
import { exampleText } from '../example-text.ts';
import { defaultFleetName, fleetNameProblem } from '../fleets/fleet-directory.ts';
import { addLogLevel, addServerFlags, type ServerFlags } from '../server-flags.ts';
import { UserError } from '../user-error.ts';

export interface UpFlags extends ServerFlags, AuthenticationFlags, Partial<AuditFlags> {
  readonly name?: string;
  readonly background?: boolean;
  readonly merge?: boolean;
  readonly file?: string;
  readonly members?: number;
  readonly printFile?: boolean;
  readonly output?: 'yaml' | 'json';
}

/** Largest number of clusters that one data directory is built for. */
const maxMembers = 2000;

export function upCommand(): Command {
  const command = new Command('up')
    .description('Run a fleet in one process: a hub, and simulated clusters that join it.')
    .option('--name <fleet>', `name of the fleet and of its data directory (default: ${defaultFleetName})`, fleetName)
    .option('--background', 'return when the fleet is ready; "flotilla down" stops it')
    .option('-f, --file <file>', 'fleet file, - reads standard input (default: the fleet in the data directory)')
    .option(
      '--members <n>',
      'number of members, without a file (default: those in the data directory, or 3)',
      memberCount,
    )
    .option('--print-file', 'print the fleet file with all fields, and start nothing')
    .option('--merge', "add the contexts NAME-hub, NAME-member-1 and so on to kubectl's own kubeconfig")
    .addOption(
      new Option('-o, --output <format>', 'json: print a ready fleet as JSON; also the format of --print-file').choices(
        ['yaml', 'json'],
      ),
    )
    .addHelpText(
      'after',
      exampleText(
        'flotilla up --members 5',
        'flotilla up --name shop --background -o json',
        'flotilla up -f fleet.yaml',
        'flotilla up --print-file > fleet.yaml',
      ),
    );
  const withServer = addAuditFlags(addAuthenticationFlags(addServerFlags(command, '.data/NAME')));
  return addLogLevel(withServer).action(async (flags: UpFlags) => {
    if (flags.file !== undefined && flags.members !== undefined) {
      throw new UserError('-f and --members exclude each other; choose one.');
    }
    if (flags.printFile) return (await import('../up/print-file.ts')).printFile(flags);
    if (flags.output === 'yaml') throw new UserError('-o yaml only applies with --print-file.');
    const { up } = await import('../up/up.ts');
    await up(flags, (name) => ['cli', 'env'].includes(command.getOptionValueSource(name) ?? ''));
  });
}

function fleetName(text: string): string {
  const problem = fleetNameProblem(text);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}

function memberCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > maxMembers) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maxMembers}.`);
  }
  return count;
}
