import { resolve } from 'node:path';
import { UserError } from '../user-error.ts';
import { chooseFleet } from './choose-fleet.ts';
import { findFleetDirectory } from './fleet-directory.ts';
import type { FleetRecord } from './fleet-record.ts';
import { runningFleets } from './running-fleets.ts';

/** How the flags of a command name a fleet. */
export interface FleetFlags {
  readonly name?: string;
  readonly dataDir?: string;
}

/** The fleet that the user means. Throws a UserError if none runs, or several do. */
export async function findRunningFleet({ name, dataDir }: FleetFlags): Promise<FleetRecord> {
  const dataDirectory = dataDir === undefined ? undefined : resolve(dataDir);
  const chosen = chooseFleet(await runningFleets(), { name, dataDirectory }, [findFleetDirectory(name).path]);
  if ('problem' in chosen) throw new UserError(`${chosen.problem}.`);
  return chosen.fleet;
}
