import type { Client } from '@flotilla/client';
import { systemClock, type Clock } from '@flotilla/timing';
import { print } from '../server-flags.ts';
import { UserError } from '../user-error.ts';
import { withHub } from '../with-hub.ts';
import type { HubFlags } from './hub-flags.ts';

/** What a command works with. */
export interface Session {
  readonly hub: Client;
  readonly print: (line: string) => void;
  readonly clock: Clock;
  /** Aborts when the time of `--timeout` is over. */
  readonly signal: AbortSignal;
}

/** Opens a session, runs the command in it, and closes it. */
export type WithSession = (flags: HubFlags, command: (session: Session) => Promise<void>) => Promise<void>;

/** Connects to the server that kubectl would use. */
export const withConnection: WithSession = async (flags, command) => {
  const { kubeconfig, context = flags.hubClusterContext, timeout } = flags;
  const signal = AbortSignal.timeout(timeout);
  await withHub({ kubeconfig, context }, (hub) => command({ hub, print, clock: systemClock, signal })).catch(
    (error: unknown) => {
      if (error instanceof UserError || !signal.aborted) throw error;
      throw new UserError(`not done after ${timeout / 1000}s; raise --timeout to wait longer.`, { cause: error });
    },
  );
};

export function nowIn({ clock }: Session): Date {
  return new Date(clock.now());
}
