import { availableParallelism } from 'node:os';
import type { Client, Environment } from '@flotilla/client';
import { jsonEquals, silentLogger } from '@flotilla/kube';
import type { Membership } from '@flotilla/member';
import { systemClock, type Clock } from '@flotilla/timing';
// oxlint-disable-next-line no-unassigned-import -- a server alone loads it when it embeds another; a fleet must not wait for that
import './embedded-servers.ts';
import { FaultControl } from './faults/fault-control.ts';
import { wantedFaults } from './faults/fault-objects.ts';
import { noFaults, type MemberFaults } from './faults/member-faults.ts';
import type { FleetShape, MemberShape } from './file/fleet-shape.ts';
import { FleetMembers } from './fleet-members.ts';
import { joinMembers } from './join-members.ts';
import { mergedKubeconfig, type Kubeconfig } from './kubeconfig.ts';
import type { OpenPriceTable } from './member-agent-options.ts';
import { openFleet, type OpenFleetOptions } from './shape/open-fleet.ts';
import { LeavingMembers } from './shape/removed-members.ts';
import { storeFleet, type LeavingMember } from './shape/stored-shape.ts';
import type { AttachedMember } from './start-attached-member.ts';
import { startHub, type RunningHub, type StartHubOptions } from './start-hub.ts';
import type { RunningMember } from './start-member.ts';
import type { MemberThreads } from './threads/member-threads.ts';
import { threadCount } from './threads/thread-count.ts';

export interface StartFleetOptions extends OpenFleetOptions {
  /**
   * Threads for the embedded members, beside the one of the hub. Default: one for each other core, and for eight members each, if the
   * members are in memory.
   */
  readonly memberThreads?: number;
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
  /** Whether the fleet has nothing to do until an object changes or time passes. Unknown, and so false, with members in threads. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Resolves when the members have joined, except those with faults, those that wait for a user, and real clusters. */
export async function startFleet(options: StartFleetOptions = {}): Promise<RunningFleet> {
  const { shape, removed, hubOptions } = await openFleet(options);
  let members: FleetMembers | undefined;
  const accessesWith = (access: Kubeconfig): Kubeconfig[] => [
    { ...access, name: shape.hub.context },
    ...shape.members.flatMap(({ name }) => members?.embedded.get(name)?.access ?? []),
  ];
  const joining = awaitJoining(maxJoiningMs, options.clock);
  const restarting = awaitJoining(maxRestartingMs, options.clock);
  const endJoining = (): void => {
    joining.end();
    restarting.end();
  };
  const threads = await launchThreads(shape, options, hubOptions);
  const hub = await startHub({
    ...hubOptions,
    housekeepingAfter: joining.ended,
    embeddedAfter: restarting.ended,
    accessRenewed: (access) => options.accessesRenewed?.(accessesWith(access)),
  }).catch(async (error: unknown) => {
    endJoining();
    await threads?.stop();
    throw error;
  });
  options.progress?.({ hub });
  const client = await hub.client();
  /** What runs, in the order of its start. */
  const running: { readonly stop: () => Promise<void> }[] = [hub, { stop: () => client.close() }];
  if (threads) running.push(threads);
  const stop = async (): Promise<void> => {
    endJoining();
    for (const part of running.toReversed()) await part.stop();
  };
  try {
    const faultsOf = await wantedFaults(client);
    await storeFleet(client, { shape, leaving: removed });
    await threads?.open(hub);
    members = membersOf(options, { hub, threads, faultsOf });
    running.push(members);
    await joinAll(members, client, { ...options, shape, faultsOf });
    const faultControl = await FaultControl.start({ ...options, hub, members: members.embedded });
    running.push(faultControl);
    const leaving = leavingOf(members, client, { ...options, shape, removed });
    running.push(leaving);
    const parts = [members, faultControl, leaving];
    const accesses = accessesWith(hub.access);
    endJoining();
    return {
      hub,
      shape,
      members: members.embedded,
      attachedMembers: members.attached,
      accesses,
      kubeconfig: `${JSON.stringify(accesses.reduce(mergedKubeconfig, {}), undefined, 2)}\n`,
      othersLeft: leaving.done,
      isAtRest: () => hub.isAtRest() && parts.every((part) => part.isAtRest),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Members that do not join keep the hub's housekeeping no longer than this. */
const maxJoiningMs = 2000;
/** Nor the controllers of members that have run before longer than this. */
const maxRestartingMs = 30_000;

/** While members join, housekeeping has nothing to do that they or a user would wait for. */
function awaitJoining(
  maxMs: number,
  clock: Clock = systemClock,
): { readonly ended: Promise<void>; readonly end: () => void } {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(maxMs, resolve);
  return {
    ended,
    end: () => {
      cancel();
      resolve();
    },
  };
}

type FaultsOf = (name: string) => MemberFaults;

/** Begins to load their code while the hub starts. Undefined if the members run in this thread. */
async function launchThreads(
  { members }: FleetShape,
  { clock, random, prepared, memberThreads, logger }: StartFleetOptions,
  { embedsInMemory, memory, dataDirectory }: StartHubOptions,
): Promise<MemberThreads | undefined> {
  const count = threadCount({
    wanted: memberThreads,
    members: members.filter(({ kubeconfig }) => kubeconfig === undefined).length,
    isInMemory: embedsInMemory === true || memory === true || dataDirectory === undefined,
    hasFunctions: clock !== undefined || random !== undefined || prepared !== undefined,
    cores: availableParallelism(),
  });
  if (count === 0) return undefined;
  const { MemberThreads } = await import('./threads/member-threads.ts');
  return new MemberThreads(count, logger);
}

interface MembersParts {
  readonly hub: RunningHub;
  readonly threads: MemberThreads | undefined;
  readonly faultsOf: FaultsOf;
}

function membersOf(options: StartFleetOptions, parts: MembersParts): FleetMembers {
  const { environment = {}, progress } = options;
  return new FleetMembers({
    ...options,
    ...parts,
    environment,
    changed: (member, membership) => progress?.({ member, membership }),
  });
}

async function joinAll(
  members: FleetMembers,
  hub: Client,
  { shape, faultsOf, progress }: StartFleetOptions & { readonly shape: FleetShape; readonly faultsOf: FaultsOf },
): Promise<void> {
  const awaited = shape.members.filter((member) => isAwaited(member, faultsOf(member.name)));
  await joinMembers(hub, {
    starts: shape.members.map((member) => () => members.start(member)),
    joining: awaited.map(({ name }) => name),
    joined: (count) => progress?.({ joined: count, of: awaited.length }),
  });
}

function leavingOf(
  members: FleetMembers,
  hub: Client,
  options: StartFleetOptions & { readonly shape: FleetShape; readonly removed: readonly LeavingMember[] },
): LeavingMembers {
  const { shape, removed, progress, logger = silentLogger } = options;
  return new LeavingMembers({
    shape,
    members: removed,
    start: (member) => members.startLeaving(member),
    hub,
    logger,
    left: (member) => progress?.({ member, membership: 'left' }),
  });
}

/** A member with faults may never join, and so may a real cluster. */
function isAwaited({ join, kubeconfig }: MemberShape, faults: MemberFaults): boolean {
  return join === 'itself' && kubeconfig === undefined && jsonEquals({ ...faults }, { ...noFaults });
}
