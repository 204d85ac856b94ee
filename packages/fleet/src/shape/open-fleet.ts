import { existsSync } from 'node:fs';
import { hubDefinitions, networkingDefinitions } from '@flotilla/api';
import { databaseFile, type StorageEngine } from '@flotilla/apiserver';
import {
  defaultMemberCount,
  networkingWord,
  shapeOfMembers,
  type FleetShape,
  type HubShape,
} from '../file/fleet-shape.ts';
import type { StartHubOptions } from '../start-hub.ts';
import { openStorage } from '../start-server.ts';
import { hubSettingsOf } from './hub-settings.ts';
import { removedMembers } from './removed-members.ts';
import { refuseToReplace, storedFleet, UnusableShape, type LeavingMember, type StoredFleet } from './stored-shape.ts';

export interface OpenFleetOptions extends Omit<
  StartHubOptions,
  'accessRenewed' | 'housekeepingAfter' | 'embeddedAfter' | 'storage' | 'simulator'
> {
  /** Number or names of members of the default shape. Default: the shape in the data directory, or three. */
  readonly members?: number | readonly string[];
  /** The shape of the fleet, from a fleet file. Instead of `members`. */
  readonly shape?: FleetShape | undefined;
  /** Further options of the hub that follow from the shape, also from a stored one: port, certificates and the like. */
  readonly hubOptions?: (hub: HubShape) => Promise<Partial<StartHubOptions>>;
}

export interface OpenFleet {
  readonly shape: FleetShape;
  readonly removed: readonly LeavingMember[];
  readonly hubOptions: StartHubOptions;
}

/** Opens the storage, where the shape may be, and derives the options of the hub. */
export async function openFleet(options: OpenFleetOptions): Promise<OpenFleet> {
  const given = givenShape(options);
  loadDefinitions(options.dataDirectory);
  const storage = await openStorage(options);
  const { engine } = storage.observed;
  try {
    const stored = await formerFleet(engine, given);
    if (stored && options.members !== undefined) refuseToReplace(stored.shape);
    const shape = given ?? stored?.shape ?? shapeOfMembers(defaultMemberCount);
    const { hub } = shape;
    const further = (await options.hubOptions?.(hub)) ?? {};
    const definitions = [hub.definitions.includes(networkingWord) ? await networkingDefinitions() : []];
    const hubOptions = {
      ...options,
      ...further,
      settings: { ...hubSettingsOf(hub), ...further.settings, ...options.settings },
      definitions: [...definitions, further.definitions ?? [], options.definitions ?? []].flat(),
      ...(hub.simulator && { simulator: { nodes: hub.nodes, behaviour: hub.workloads } }),
      storage,
    };
    return { shape, removed: removedMembers(shape, stored), hubOptions };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * Begins to load what the hub compares with its storage: this thread would only wait for the one that opens it. A failure shows
 * there. A new hub may have prepared objects instead.
 */
function loadDefinitions(dataDirectory: string | undefined): void {
  if (dataDirectory !== undefined && existsSync(databaseFile(dataDirectory))) hubDefinitions().catch(() => undefined);
}

/** A given shape replaces one that cannot be used. */
async function formerFleet(engine: StorageEngine, given: FleetShape | undefined): Promise<StoredFleet | undefined> {
  return storedFleet(engine).catch((error: unknown) => {
    if (given === undefined || !(error instanceof UnusableShape)) throw error;
    return undefined;
  });
}

function givenShape({ shape, members }: OpenFleetOptions): FleetShape | undefined {
  if (shape !== undefined || members === undefined) return shape;
  const given = shapeOfMembers(members);
  // Each is a context of the kubeconfig.
  const contexts = [given.hub.context, ...given.members.map(({ context }) => context)];
  const seen = new Set<string>();
  const duplicate = contexts.find((name) => {
    if (seen.has(name)) return true;
    seen.add(name);
    return false;
  });
  if (duplicate !== undefined) throw new RangeError(`duplicate cluster name ${duplicate}; each needs its own`);
  return given;
}
