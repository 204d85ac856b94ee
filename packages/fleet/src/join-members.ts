import { memberClusterConditions, memberClusters, type MemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { objectStates } from './object-states.ts';

/** Members that start at the same time. More would only wait for each other. */
const maxConcurrentStarts = 16;

interface JoinMembersOptions {
  /** Of all members. */
  readonly starts: readonly (() => Promise<void>)[];
  /** Names of the members to wait for. */
  readonly joining: readonly string[];
  readonly joined: (count: number) => void;
}

/** Starts members, and resolves when those that should join have joined. */
export async function joinMembers(hub: Client, { starts, joining, joined }: JoinMembersOptions): Promise<void> {
  const watching = new AbortController();
  const allJoined = untilAllJoined(hub, joining, joined, watching);
  try {
    await startAll(starts);
    await allJoined;
  } finally {
    watching.abort();
    await allJoined;
  }
}

/** After a failure starts no further member, and waits for those that are starting. */
export async function startAll(starts: readonly (() => Promise<void>)[]): Promise<void> {
  const remaining = starts.values();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (const start of remaining) {
      if (failures.length > 0) return;
      await start().catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxConcurrentStarts, starts.length) }, worker));
  if (failures.length > 0) throw failures[0];
}

/** Watches the members until all have joined. */
async function untilAllJoined(
  client: Client,
  names: readonly string[],
  joined: (count: number) => void,
  watching: AbortController,
): Promise<void> {
  const waiting = new Set(names);
  if (waiting.size === 0) watching.abort();
  const { signal } = watching;
  for await (const member of objectStates(client, memberClusters, { signal })) {
    if (!hasJoined(member) || !waiting.delete(member.metadata.name ?? '')) continue;
    joined(names.length - waiting.size);
    if (waiting.size === 0) watching.abort();
  }
}

function hasJoined({ metadata, status }: Readonly<MemberCluster>): boolean {
  const joined = status?.conditions?.find(({ type }) => type === memberClusterConditions.joined);
  return joined?.status === 'True' && joined.observedGeneration === metadata.generation;
}
