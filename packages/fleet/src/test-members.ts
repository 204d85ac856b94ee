/** For tests: members of a hub whose agents are played by the test. */
import { memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { registerMember } from './member-credentials.ts';

/** Registers members, and waits until the hub has made their places. */
export async function registerMembers(hub: Client, ...names: string[]): Promise<void> {
  await Promise.all(names.map((name) => registerMember(hub, name)));
  const waiting = new Set(names);
  const ending = new AbortController();
  for await (const { object } of hub.watch(memberClusters, { resourceVersion: '0', signal: ending.signal })) {
    if (object.status?.conditions !== undefined) waiting.delete(object.metadata.name ?? '');
    if (waiting.size === 0) ending.abort();
  }
}
