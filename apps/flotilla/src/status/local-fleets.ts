import type { FleetRecord } from '../fleets/fleet-record.ts';
import { runningFleets } from '../fleets/running-fleets.ts';
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
  /** Adds to an error which fleets run, where the user may have expected one. */
  readonly explain: (error: unknown) => unknown;
}

/** The fleets that `flotilla up` runs on this machine. A user who names a server asks about that one. */
export async function localFleets(address: HubAddress): Promise<LocalFleets> {
  if (address.kubeconfig !== undefined || process.env['KUBECONFIG'])
    return { lines: [], isUndecided: false, explain: (error) => error };
  const records = await runningFleets();
  const { kubeconfig, source } = await findServer(address);
  const isUndecided = records.length > 1 && source === undefined;
  const lines = recordLines(records, terminalOf(process.stdout, process.env));
  const explain = (error: unknown): unknown => {
    const isRunning = records.some((record) => record.kubeconfig === kubeconfig);
    if (isRunning || !(error instanceof UserError)) return error;
    return records.length === 0 ? noFleet(error) : fleetsElsewhere(error, records);
  };
  return { explain, lines: isUndecided ? [...lines, 'Choose one with --kubeconfig FILE.'] : lines, isUndecided };
}

function noFleet(cause: UserError): UserError {
  const advice = 'start one with "flotilla up --background", or name a server with --kubeconfig';
  return new UserError(`no fleet runs here: ${advice} (${cause.message.replace(/\.$/, '')}).`, { cause });
}

function fleetsElsewhere(cause: UserError, records: readonly FleetRecord[]): UserError {
  const fleets = records.map(({ name, kubeconfig }) => `fleet "${name}" with --kubeconfig ${kubeconfig}`);
  return new UserError(`${cause.message} These run: ${fleets.join(', ')}.`, { cause });
}
