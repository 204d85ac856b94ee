import { isUnreachable, withFleets } from '../session/explain-missing-fleet.ts';
import { findServer } from '../session/find-server.ts';
import type { HubAddress } from '../session/with-hub.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { UserError } from '../user-error.ts';
import { recordLines } from './status-lines.ts';

export interface LocalFleets {
  /** What to print about them before the status. */
  readonly lines: readonly string[];
  /** Several run, and nothing says which one is meant. */
  readonly isUndecided: boolean;
  /** Adds to an error of the server which fleets run: the user may have expected one of them. */
  readonly explain: (error: unknown) => unknown;
}

/** The fleets that `flotilla up` runs on this machine. A user who names a server asks about that one. */
export async function localFleets(address: HubAddress): Promise<LocalFleets> {
  const { kubeconfig, source, running } = await findServer(address);
  if (running === undefined) return { lines: [], isUndecided: false, explain: (error) => error };
  const isUndecided = running.length > 1 && source === undefined;
  const lines = recordLines(running, terminalOf(process.stdout, process.env));
  const explain = (error: unknown): unknown => {
    const isFleet = running.length === 0 || running.some((fleet) => fleet.kubeconfig === kubeconfig);
    if (isFleet || !(error instanceof UserError) || isUnreachable(error)) return error;
    return withFleets(error, running);
  };
  return { explain, lines: isUndecided ? [...lines, 'Choose one with --name NAME.'] : lines, isUndecided };
}
