import { networkingDefinitions } from '@flotilla/api';
import type { StorageEngine } from '@flotilla/apiserver';
import type { Environment } from '@flotilla/client';
import { jsonEquals, silentLogger } from '@flotilla/kube';
import type { Membership } from '@flotilla/member';
import { FaultControl } from './faults/fault-control.ts';
import { wantedFaults } from './faults/fault-objects.ts';
import { noFaults, type MemberFaults } from './faults/member-faults.ts';
import {
  defaultMemberCount,
  networkingWord,
  shapeOfMembers,
  type FleetShape,
  type HubShape,
  type MemberShape,
} from './file/fleet-shape.ts';
import { FleetMembers } from './fleet-members.ts';
import { joinMembers } from './join-members.ts';
import { mergedKubeconfig, type Kubeconfig } from './kubeconfig.ts';
import type { OpenPriceTable } from './member-agent-options.ts';
import { hubSettingsOf } from './shape/hub-settings.ts';
import { LeavingMembers, removedMembers } from './shape/removed-members.ts';
import {
  refuseToReplace,
  storedFleet,
  storeFleet,
  UnusableShape,
  type LeavingMember,
  type StoredFleet,
} from './shape/stored-shape.ts';
import type { AttachedMember } from './start-attached-member.ts';
import { startHub, type RunningHub, type StartHubOptions } from './start-hub.ts';
import type { RunningMember } from './start-member.ts';
import { openStorage } from './start-server.ts';

export interface StartFleetOptions extends Omit<StartHubOptions, 'accessRenewed' | 'storage' | 'simulator'> {
  /** Number or names of members of the default shape. Default: the shape in the data directory, or three. */
  readonly members?: number | readonly string[];
  /** The shape of the fleet, from a fleet file. Instead of `members`. */
  readonly shape?: FleetShape | undefined;
  /** Further options of the hub that follow from the shape, also from a stored one: port, certificates and the like. */
  readonly hubOptions?: (hub: HubShape) => Promise<Partial<StartHubOptions>>;
  /** Reads price tables that the shape names. */
  readonly openPriceTable?: OpenPriceTable;
  /** For kubeconfigs of real clusters that start programs: `process.env`. */
  readonly environment?: Environment;
  /** Called when the administrator of the hub has a new certificate. The old one stays valid for months. */
  readonly accessesRenewed?: (accesses: readonly Kubeconfig[]) => void;
  /** Called for each step of the start. */
  readonly progress?: (step: FleetProgress) => void;
}

/** The hub is ready, so many of the members have joined, or a real or removed member has joined or left. */
export type FleetProgress =
  | { readonly hub: RunningHub }
  | { readonly joined: number; readonly of: number }
  | { readonly member: string; readonly membership: Membership };

/** A hub and members in one process. */
export interface RunningFleet {
  readonly hub: RunningHub;
  readonly shape: FleetShape;
  /** Embedded members, by name. */
  readonly members: ReadonlyMap<string, RunningMember>;
  /** Real clusters whose agents run here, by name. */
  readonly attachedMembers: ReadonlyMap<string, AttachedMember>;
  /** One for the context of the hub, and one for that of each embedded member. */
  readonly accesses: readonly Kubeconfig[];
  readonly kubeconfig: string;
  /** Resolves when the members that the shape no longer has have left the fleet. */
  readonly othersLeft: Promise<void>;
  /** Whether the fleet has nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Resolves when the members have joined, except those with faults, those that wait for a user, and real clusters. */
export async function startFleet(options: StartFleetOptions = {}): Promise<RunningFleet> {
  const { members: _members, shape: _shape, hubOptions: _hubOptions, accessesRenewed, ...shared } = options;
  const { progress = () => undefined, logger = silentLogger, environment = {} } = options;
  const { shape, removed, hubOptions } = await openFleet(options);
  let members: FleetMembers | undefined;
  const accessesWith = (access: Kubeconfig): Kubeconfig[] => [
    { ...access, name: shape.hub.context },
    ...shape.members.flatMap(({ name }) => members?.embedded.get(name)?.access ?? []),
  ];
  const hub = await startHub({
    ...hubOptions,
    accessRenewed: (access) => accessesRenewed?.(accessesWith(access)),
  });
  progress({ hub });
  let faultControl: FaultControl | undefined;
  let leaving: LeavingMembers | undefined;
  const stop = async (): Promise<void> => {
    await leaving?.stop();
    await faultControl?.stop();
    await members?.stop();
    await hub.stop();
  };
  try {
    const client = await hub.client();
    const faultsOf = await wantedFaults(client);
    await storeFleet(client, { shape, leaving: removed });
    const fleetMembers = (members = new FleetMembers({
      ...shared,
      hub,
      environment,
      faultsOf,
      changed: (member, membership) => progress({ member, membership }),
    }));
    const joining = shape.members.filter((member) => isAwaited(member, faultsOf(member.name))).map(({ name }) => name);
    await joinMembers(client, {
      starts: shape.members.map((member) => () => fleetMembers.start(member)),
      joining,
      joined: (count) => progress({ joined: count, of: joining.length }),
    });
    faultControl = await FaultControl.start({ ...shared, hub, members: members.embedded });
    leaving = new LeavingMembers({
      shape,
      members: removed,
      start: (member) => fleetMembers.startLeaving(member),
      hub: client,
      logger,
      left: (member) => progress({ member, membership: 'left' }),
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const accesses = accessesWith(hub.access);
  const { embedded, attached } = members;
  const parts = [faultControl, leaving, members];
  return {
    hub,
    shape,
    members: embedded,
    attachedMembers: attached,
    accesses,
    kubeconfig: `${JSON.stringify(accesses.reduce(mergedKubeconfig, {}), undefined, 2)}\n`,
    othersLeft: leaving.done,
    isAtRest: () => hub.isAtRest() && parts.every((part) => part.isAtRest),
    stop,
  };
}

/** A member with faults may never join, and so may a real cluster. */
function isAwaited({ join, kubeconfig }: MemberShape, faults: MemberFaults): boolean {
  return join === 'itself' && kubeconfig === undefined && jsonEquals({ ...faults }, { ...noFaults });
}

interface OpenFleet {
  readonly shape: FleetShape;
  readonly removed: readonly LeavingMember[];
  readonly hubOptions: StartHubOptions;
}

/** Opens the storage, where the shape may be, and derives the options of the hub. */
async function openFleet(options: StartFleetOptions): Promise<OpenFleet> {
  const given = givenShape(options);
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
      settings: { ...hubSettingsOf(hub), ...options.settings },
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

/** A given shape replaces one that cannot be used. */
async function formerFleet(engine: StorageEngine, given: FleetShape | undefined): Promise<StoredFleet | undefined> {
  return storedFleet(engine).catch((error: unknown) => {
    if (given === undefined || !(error instanceof UnusableShape)) throw error;
    return undefined;
  });
}

function givenShape({ shape, members }: StartFleetOptions): FleetShape | undefined {
  if (shape !== undefined || members === undefined) return shape;
  const given = shapeOfMembers(members);
  // Each is a context of the kubeconfig.
  const contexts = [given.hub.context, ...given.members.map(({ context }) => context)];
  const duplicate = contexts.find((name, index) => contexts.indexOf(name) !== index);
  if (duplicate !== undefined) throw new RangeError(`duplicate cluster name ${duplicate}; each needs its own`);
  return given;
}
