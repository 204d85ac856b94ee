import { memberClusterConditions, memberClusters, type MemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { mergedKubeconfig, type Kubeconfig } from './kubeconfig.ts';
import { startHub, type RunningHub, type StartHubOptions } from './start-hub.ts';
import { startMember, type RunningMember } from './start-member.ts';

export interface StartFleetOptions extends Omit<StartHubOptions, 'accessRenewed'> {
  /** How many, or their names; without it those that the data directory holds, or three. */
  readonly members?: number | readonly string[];
  /** The administrator of the hub has a new certificate; the one before stays good for months. */
  readonly accessesRenewed?: (accesses: readonly Kubeconfig[]) => void;
  /** Hears of each step of the start. */
  readonly progress?: (step: FleetProgress) => void;
}

/** The hub is there, or so many of the members have joined. */
export type FleetProgress = { readonly hub: RunningHub } | { readonly joined: number; readonly of: number };

/** A hub and members in one process. */
export interface RunningFleet {
  readonly hub: RunningHub;
  /** By name. */
  readonly members: ReadonlyMap<string, RunningMember>;
  /** Contexts `hub` and the members' names, as kubectl reads them. */
  readonly accesses: readonly Kubeconfig[];
  readonly kubeconfig: string;
  /** Whether nothing moves before somebody changes something or time passes. */
  readonly isAtRest: () => boolean;
  readonly stop: () => Promise<void>;
}

const usualMembers = 3;
const hubContext = 'hub';

/** So many members are made at a time: more would only wait for each other. */
const atOnce = 16;

/** Resolves when all members have joined. */
export async function startFleet(options: StartFleetOptions = {}): Promise<RunningFleet> {
  const { members: wanted, progress = () => undefined, accessesRenewed, ...shared } = options;
  let names = namesOf(wanted);
  const members = new Map<string, RunningMember>();
  const accessesWith = (access: Kubeconfig): Kubeconfig[] => [
    { ...access, name: hubContext },
    ...names.flatMap((name) => members.get(name)?.access ?? []),
  ];
  const hub = await startHub({ ...shared, accessRenewed: (access) => accessesRenewed?.(accessesWith(access)) });
  if (wanted === undefined) names = keptOr(names, hub);
  progress({ hub });
  const stop = async (): Promise<void> => {
    await Promise.all(Array.from(members.values(), (member) => member.stop()));
    await hub.stop();
  };
  const start = async (name: string): Promise<void> => {
    members.set(name, await startMember({ ...shared, hub, name }));
  };
  await startAndJoin(await hub.client(), names, start, progress).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const accesses = accessesWith(hub.access);
  return {
    hub,
    members,
    accesses,
    kubeconfig: `${JSON.stringify(accesses.reduce(mergedKubeconfig, {}), undefined, 2)}\n`,
    isAtRest: () => hub.isAtRest() && members.values().every((member) => member.isAtRest()),
    stop,
  };
}

function namesOf(wanted: StartFleetOptions['members'] = usualMembers): readonly string[] {
  if (typeof wanted === 'number') return Array.from({ length: wanted }, (_, index) => `member-${index + 1}`);
  // Each is a context in the kubeconfig.
  const all = [hubContext, ...wanted];
  const twice = all.find((name, index) => all.indexOf(name) !== index);
  if (twice !== undefined) throw new RangeError(`two clusters of a fleet cannot both be called ${twice}`);
  return wanted;
}

function keptOr(others: readonly string[], { server }: RunningHub): readonly string[] {
  const kept = server.embeddedNames();
  return kept.length > 0 ? kept : others;
}

type Start = (name: string) => Promise<void>;
type Progress = (step: FleetProgress) => void;

async function startAndJoin(hub: Client, names: readonly string[], start: Start, progress: Progress): Promise<void> {
  const watching = new AbortController();
  const joined = allJoined(hub, names, progress, watching);
  try {
    await startAll(names, start);
    await joined;
  } finally {
    watching.abort();
    await joined;
    await hub.close();
  }
}

/** Begins no more after a failure, and ends when nothing is under way any more. */
async function startAll(names: readonly string[], start: Start): Promise<void> {
  const waiting = names.values();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (const name of waiting) {
      if (failures.length > 0) return;
      await start(name).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, names.length) }, lane));
  if (failures.length > 0) throw failures[0];
}

/** Follows the members until the last of them has joined. */
async function allJoined(
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
