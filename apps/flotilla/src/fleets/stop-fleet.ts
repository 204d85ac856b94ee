import { setTimeout as pause } from 'node:timers/promises';
import type { DownOptions } from '../commands/down.ts';
import { whileWaiting } from '../progress-line.ts';
import { print } from '../server-flags.ts';
import { wrapped } from '../terminal/table.ts';
import { terminalOf } from '../terminal/terminal.ts';
import { UserError } from '../user-error.ts';
import { findRunningFleet } from './find-running-fleet.ts';
import type { FleetRecord } from './fleet-record.ts';
import { isRunning } from './process-identity.ts';

/** Sends SIGTERM to the process of a fleet, and waits until it has ended. Progress goes to standard error. */
export async function stopFleet({ timeout, output, ...flags }: DownOptions): Promise<void> {
  const fleet = await findRunningFleet(flags);
  process.stderr.write(`Stopping fleet "${fleet.name}" (process ${fleet.pid}).\n`);
  sendStop(fleet);
  if (!(await whileWaiting('Waiting for its end', hasEnded(fleet, timeout)))) {
    throw new UserError(
      `fleet "${fleet.name}" still runs after ${timeout / 1000}s; wait longer with --timeout, or kill process ${fleet.pid}.`,
    );
  }
  if (output === 'json') return print(JSON.stringify({ name: fleet.name, pid: fleet.pid, ...dataOf(fleet) }));
  const data = fleet.dataDirectory === undefined ? '' : ` Its data is in ${fleet.dataDirectory}.`;
  const { columns = Infinity } = terminalOf(process.stdout, process.env);
  print(wrapped(`Fleet "${fleet.name}" has stopped.${data}`, columns).join('\n'));
}

function dataOf({ dataDirectory }: FleetRecord): Pick<FleetRecord, 'dataDirectory'> {
  return dataDirectory === undefined ? {} : { dataDirectory };
}

function sendStop({ name, pid }: FleetRecord): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // It has ended since its record was read.
    if (code === 'ESRCH') return;
    throw new UserError(`cannot stop fleet "${name}": ${message}.`, { cause: error });
  }
}

const intervalMs = 20;

/** No event tells about the end of a process that is not a child. */
async function hasEnded({ pid, processStart }: FleetRecord, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (isRunning(pid, processStart)) {
    if (performance.now() > end) return false;
    await pause(intervalMs);
  }
  return true;
}
