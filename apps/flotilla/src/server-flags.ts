/** What all commands have in common that run a server. */
import { resolve } from 'node:path';
import type { LogLevel } from '@flotilla/kube';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { defaultDataDirectory } from './data-directory.ts';
import { UserFault } from './user-error.ts';

export interface ServerFlags {
  readonly dataDir?: string;
  readonly memory?: boolean;
  readonly new?: boolean;
  readonly port: number;
  readonly host: string;
  readonly writeKubeconfig?: string;
  readonly logLevel: LogLevel;
}

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function addServerFlags(command: Command): Command {
  return command
    .option('--data-dir <dir>', `keep objects and certificates here (default: ${defaultDataDirectory})`)
    .option('--memory', 'keep nothing')
    .option('--new', 'start with an empty database, or with new keys, where the data directory has only the other')
    .option('--port <n>', 'listen here; 0 takes any free port', portNumber, 6443)
    .option('--host <address>', 'listen on this address', '127.0.0.1')
    .option(
      '--write-kubeconfig <file>',
      "put an administrator's access into this kubeconfig (default: kubeconfig in the data directory)",
    );
}

/** The last one in every help. */
export function addLogLevel(command: Command): Command {
  return command.addOption(
    new Option('--log-level <level>', 'what is worth a line on standard error').choices(logLevels).default('warn'),
  );
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

/** Undefined where nothing is kept. */
export function dataDirectoryOf({ memory, dataDir, new: isNew }: ServerFlags): string | undefined {
  if (memory && dataDir !== undefined) {
    throw new UserFault('--memory keeps nothing and --data-dir keeps everything; choose one.');
  }
  if (memory && isNew) throw new UserFault('--memory starts empty every time; --new is about a data directory.');
  return memory ? undefined : resolve(dataDir ?? defaultDataDirectory);
}

export function announceStart(dataDirectory: string | undefined): void {
  say(dataDirectory === undefined ? 'Starting; nothing will be kept.' : `Starting; data is kept in ${dataDirectory}.`);
}

/** Faults that the user can mend become sentences. */
export function explainedStart(error: unknown, { port }: ServerFlags): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    return new UserFault(`port ${port} is in use; stop what uses it or choose another with --port (0: any free one).`);
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new UserFault(`${error.message}; choose another address with --host, or another port with --port.`);
  }
  return explainedData(error);
}

/** What to do beyond what the message says. */
const dataFaults: Readonly<Record<string, string>> = {
  // The server refused its own controllers, for instance since its disk is full.
  ApiError: '',
  DirectoryInUse: '; stop it, or name another directory with --data-dir',
  UnusableCredentials: '',
  UnusableDatabase: '; restore a backup into an empty directory and start with that',
  UnusableDirectory: '',
  StoreUnavailable: '; make the disk writable, or name another directory with --data-dir',
};

/** Faults in a data directory become sentences. */
export function explainedData(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const toDo = dataFaults[error.name];
  return toDo === undefined ? error : new UserFault(`${error.message}${toDo}.`, { cause: error });
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
