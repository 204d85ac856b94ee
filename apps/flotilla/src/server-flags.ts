/** What the commands that run a server share: options, output and errors. */
import { resolve } from 'node:path';
import type { LogLevel } from '@flotilla/kube';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { UserError } from './user-error.ts';

export interface ServerFlags {
  readonly dataDir?: string;
  readonly memory?: boolean;
  readonly new?: boolean;
  readonly port: number;
  readonly host: string;
  readonly writeKubeconfig?: string;
  readonly logLevel: LogLevel;
}

/** That of a hub or a server. In the working directory, where the user finds it and git ignores it. */
export const defaultDataDirectory = '.data/hub';

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function addServerFlags(command: Command, defaultDirectory = defaultDataDirectory): Command {
  return command
    .option('--data-dir <dir>', `directory to store objects and keys in (default: ${defaultDirectory})`)
    .option('--memory', 'store nothing on disk')
    .option('--new', 'create the database, or the keys, if the data directory has only the other')
    .option('--port <n>', 'port to listen on; 0 means any free port', portNumber, 6443)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--write-kubeconfig <file>',
      "kubeconfig to add the administrator's access to (default: kubeconfig in the data directory)",
    );
}

/** For commands that run until they are stopped. `flotilla up` has its fleet file. */
export function addConfigFlag(command: Command): Command {
  return command.option(
    '--config <file>',
    'YAML file with values for flags that are neither typed nor in the environment',
  );
}

/** Call it last: the option ends the list in every help. */
export function addLogLevel(command: Command): Command {
  return command.addOption(
    new Option('--log-level <level>', 'minimum level to log').choices(logLevels).default('warn'),
  );
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a number from 0 to 65535.');
  return port;
}

/** Undefined with `--memory`. */
export function dataDirectoryOf({ memory, dataDir, new: isNew }: ServerFlags): string | undefined {
  if (memory && dataDir !== undefined) {
    throw new UserError('--memory and --data-dir exclude each other; choose one.');
  }
  if (memory && isNew) throw new UserError('--new only applies with a data directory; leave out --new or --memory.');
  return memory ? undefined : resolve(dataDir ?? defaultDataDirectory);
}

export function announceStart(dataDirectory: string | undefined): void {
  print(
    dataDirectory === undefined
      ? 'Starting in memory; nothing is stored.'
      : `Starting with the data directory ${dataDirectory}.`,
  );
}

/** Turns errors of a start that the user can fix into UserErrors. */
export function explainStartError(error: unknown, { port }: ServerFlags): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new UserError(
      `port ${port} is in use; stop the program that uses it, or choose another with --port (0 means any free port).`,
    );
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new UserError(`${error.message}; choose another address with --host, or another port with --port.`);
  }
  return explainDataError(error);
}

/** By name of the error: what to do, in addition to its message. */
const dataErrorRemedies: Readonly<Record<string, string>> = {
  // The server refused its own controllers, for instance because its disk is full.
  ApiError: '',
  ConfigurationError: '',
  KubeconfigError: '',
  MemberHasOtherIdentity: '',
  UnusableShape: '',
  DirectoryInUse: '; stop it, or name another directory with --data-dir',
  UnusableCredentials: '',
  UnusableDatabase: '; restore a backup into an empty directory and start with that',
  UnusableDirectory: '',
  StoreUnavailable: '; make the disk writable, or name another directory with --data-dir',
};

/** Turns errors of a data directory into UserErrors. */
export function explainDataError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const remedy = dataErrorRemedies[error.name];
  return remedy === undefined ? error : new UserError(`${error.message}${remedy}.`, { cause: error });
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
