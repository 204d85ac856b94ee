import { memberClusterConditions, memberClusters, type MemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { jsonEquals } from '@flotilla/kube';
import { FaultControl } from './faults/fault-control.ts';
import { wantedFaults } from './faults/fault-objects.ts';
import { noFaults } from './faults/member-faults.ts';
import { mergedKubeconfig, type Kubeconfig } from './kubeconfig.ts';
import { startHub, type RunningHub, type StartHubOptions } from './start-hub.ts';
import { startMember, type RunningMember } from './start-member.ts';

export interface StartFleetOptions extends Omit<StartHubOptions, 'accessRenewed'> {
  /** Their number or their names. Default: those in the data directory, or three. */
  readonly members?: number | readonly string[];
  /** Called when the administrator of the hub has a new certificate. The old one stays valid for months. */
  readonly accessesRenewed?: (accesses: readonly Kubeconfig[]) => void;
  /** Called for each step of the start. */
  readonly progress?: (step: FleetProgress) => void;
}

/** The hub is ready, or so many of the members have joined. */
export type FleetProgress = { readonly hub: RunningHub } | { readonly joined: number; readonly of: number };

/** A hub and members in one process. */
export interface RunningFleet {
  readonly hub: RunningHub;
  /** By name. */
  readonly members: ReadonlyMap<string, RunningMember>;
  /** One for the context `hub`, and one for each member, under its name. */
  readonly accesses: readonly Kubeconfig[];
  readonly kubeconfig: string;
  /** Whether the fleet has nothing to do until an object changes or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

const defaultMembers = 3;
const hubContext = 'hub';

/** Members that start at the same time. More would only wait for each other. */
const maxConcurrentStarts = 16;

/** Resolves when all members without faults have joined. */
export async function startFleet(options: StartFleetOptions = {}): Promise<RunningFleet> {
  const { members: wanted, progress = () => undefined, accessesRenewed, ...shared } = options;
  let names = namesOf(wanted);
  const members = new Map<string, RunningMember>();
  const accessesWith = (access: Kubeconfig): Kubeconfig[] => [
    { ...access, name: hubContext },
    ...names.flatMap((name) => members.get(name)?.access ?? []),
  ];
  const hub = await startHub({ ...shared, accessRenewed: (access) => accessesRenewed?.(accessesWith(access)) });
  if (wanted === undefined) names = storedNamesOr(names, hub);
  progress({ hub });
  let faultControl: FaultControl | undefined;
  const stop = async (): Promise<void> => {
    await faultControl?.stop();
    await Promise.all(Array.from(members.values(), (member) => member.stop()));
    await hub.stop();
  };
  try {
    const client = await hub.client();
    const faultsOf = await wantedFaults(client);
    const start = async (name: string): Promise<void> => {
      members.set(name, await startMember({ ...shared, hub, name, faults: faultsOf(name) }));
    };
    // A member with faults may never join.
    const joining = names.filter((name) => jsonEquals({ ...faultsOf(name) }, { ...noFaults }));
    await startAndJoin(client, { names, joining }, start, progress);
    faultControl = await FaultControl.start({ ...shared, hub, members });
  } catch (error) {
    await stop();
    throw error;
  }
  const accesses = accessesWith(hub.access);
  return {
    hub,
    members,
    accesses,
    kubeconfig: `${JSON.stringify(accesses.reduce(mergedKubeconfig, {}), undefined, 2)}\n`,
    isAtRest: () => hub.isAtRest() && faultControl.isAtRest && members.values().every((member) => member.isAtRest()),
    stop,
  };
}

function namesOf(wanted: StartFleetOptions['members'] = defaultMembers): readonly string[] {
  if (typeof wanted === 'number') return Array.from({ length: wanted }, (_, index) => `member-${index + 1}`);
  // Each is a context of the kubeconfig.
  const all = [hubContext, ...wanted];
  const duplicate = all.find((name, index) => all.indexOf(name) !== index);
  if (duplicate !== undefined) throw new RangeError(`duplicate cluster name ${duplicate}; each needs its own`);
  return wanted;
}

function storedNamesOr(others: readonly string[], { server }: RunningHub): readonly string[] {
  const stored = server.embeddedNames();
  return stored.length > 0 ? stored : others;
}

type Start = (name: string) => Promise<void>;
type Progress = (step: FleetProgress) => void;

async function startAndJoin(
  hub: Client,
  { names, joining }: { readonly names: readonly string[]; readonly joining: readonly string[] },
  start: Start,
  progress: Progress,
): Promise<void> {
  const watching = new AbortController();
  const joined = untilAllJoined(hub, joining, progress, watching);
  try {
    await startAll(names, start);
    await joined;
  } finally {
    watching.abort();
    await joined;
    await hub.close();
  }
}

/** After a failure starts no further member, and waits for those that are starting. */
async function startAll(names: readonly string[], start: Start): Promise<void> {
  const remaining = names.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const name of remaining) {
      if (failures.length > 0) return;
      await start(name).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrentStarts, names.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

/** Watches the members until all have joined. */
async function untilAllJoined(
  client: Client,
  names: readonly string[],
  progress: Progress,
  watching: AbortController,
): Promise<void> {
  const waiting = new Set(names);
  if (waiting.size === 0) watching.abort();
  const { signal } = watching;
  for await (const { type, object } of client.watch(memberClusters, { resourceVersion: '0', signal })) {
    if (type === 'BOOKMARK' || !hasJoined(object) || !waiting.delete(object.metadata.name ?? '')) continue;
    progress({ joined: names.length - waiting.size, of: names.length });
    if (waiting.size === 0) watching.abort();
  }
}

function hasJoined({ metadata, status }: MemberCluster): boolean {
  const joined = status?.conditions?.find(({ type }) => type === memberClusterConditions.joined);
  return joined?.status === 'True' && joined.observedGeneration === metadata.generation;
}
