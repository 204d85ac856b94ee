import { resolve } from 'node:path';
import type { FleetShape } from '@flotilla/fleet';
import type { UpFlags } from '../commands/up.ts';
import { defaultFleetName, findFleetDirectory } from '../fleets/fleet-directory.ts';
import { UserError } from '../user-error.ts';
import { flagsWithFile, type IsTyped } from './hub-flags.ts';
import type { StartingFleet } from './up-event.ts';

/** Which fleet `flotilla up` is about, before anything starts. */
export interface FleetPlan extends StartingFleet {
  /** Those of the fleet file. */
  readonly shape?: FleetShape;
  readonly flags: UpFlags;
}

export async function planFleet(flags: UpFlags, isTyped: IsTyped): Promise<FleetPlan> {
  const { file, name = defaultFleetName } = flags;
  if (file === '-' && flags.background) {
    throw new UserError('-f - and --background exclude each other; write the fleet file to disk.');
  }
  const shape = file === undefined ? undefined : await (await import('./fleet-file.ts')).readFleetFile(file);
  const used: UpFlags = shape === undefined ? flags : { ...flags, ...flagsWithFile(flags, isTyped, shape.hub) };
  const found = used.dataDir === undefined ? findFleetDirectory(name) : { path: resolve(used.dataDir), isOlder: false };
  const isStored = used.memory !== true || used.dataDir !== undefined;
  return {
    name,
    ...(isStored && { dataDirectory: found.path }),
    isOlder: isStored && found.isOlder,
    ...(shape && { shape }),
    flags: isStored ? { ...used, dataDir: found.path } : used,
  };
}
