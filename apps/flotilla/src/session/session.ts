import type { Client } from '@flotilla/client';
import { systemClock, type Clock } from '@flotilla/timing';
import { print } from '../server-flags.ts';
import { terminalOf, type Terminal } from '../terminal/terminal.ts';
import { UserError } from '../user-error.ts';
import type { HubFlags } from './hub-flags.ts';
import { explainMissingFleet } from './explain-missing-fleet.ts';
import { findServer } from './find-server.ts';
import { MemberClients } from './member-clients.ts';
import { serverText, withHub } from './with-hub.ts';

/** What a command works with. */
export interface Session {
  readonly hub: Client;
  /** A client of a member that the hub's process serves. Undefined if the kubeconfig has no access to it. */
  readonly member: (name: string) => Promise<Client | undefined>;
  /** Address of the hub. */
  readonly url: string;
  /** How the server was found. Absent if the user named it. */
  readonly source?: string;
  /** That of the context. */
  readonly namespace: string;
  readonly print: (line: string) => void;
  /** Prints to standard error. */
  readonly warn: (line: string) => void;
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Aborts when the time of `--timeout` is over, or when the reader of the output is gone. */
  readonly signal: AbortSignal;
}

/** Opens a session, runs the command in it, and closes it. */
export type WithSession = (
  flags: Partial<HubFlags> & { readonly source?: string },
  command: (session: Session) => Promise<void>,
) => Promise<void>;

/** Connects to the server that kubectl would use. */
export const withConnection: WithSession = async (flags, command) => {
  const { kubeconfig, context = flags.hubClusterContext, timeout, source } = flags;
  const reader = new AbortController();
  // A command that prints until it is stopped ends with its reader, as `head` expects.
  process.stdout.once('error', () => reader.abort());
  const expiry = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const signal = expiry ? AbortSignal.any([reader.signal, expiry]) : reader.signal;
  const warn = (line: string): void => void process.stderr.write(`${line}\n`);
  await withHub({ kubeconfig, context }, async (hub, { namespace, url }) => {
    const members = new MemberClients({ kubeconfig }, url);
    await command({
      hub,
      member: members.get,
      url,
      ...(source !== undefined && { source }),
      namespace,
      print,
      warn,
      clock: systemClock,
      signal,
      // Its size may change while the command runs.
      get terminal() {
        return terminalOf(process.stdout, process.env);
      },
    }).finally(() => members.close());
  }).catch((error: unknown) => {
    if (reader.signal.aborted) return;
    if (timeout === undefined || error instanceof UserError || !expiry?.aborted) throw error;
    throw new UserError(`not done after ${timeout / 1000}s; raise --timeout to wait longer.`, { cause: error });
  });
};

/** Connects to the server of `findServer`. */
export const withFleet: WithSession = async (flags, command) => {
  const found = await findServer(flags);
  await withConnection({ ...flags, ...found }, command).catch((error: unknown) => {
    throw explainMissingFleet(error, found);
  });
};

/** For commands that change objects: says which server they use, unless the user named it. */
export function announceServer({ source, url, warn }: Session): void {
  if (source !== undefined) warn(serverText(source, url));
}

export function nowIn({ clock }: Session): Date {
  return new Date(clock.now());
}
