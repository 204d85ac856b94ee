import { clusterSchedulingPolicySnapshots } from '@flotilla/api';
import type { RunningFleet } from '@flotilla/fleet';

/** Resolves when the hub has a policy to decide by. */
export async function policyDecided({ hub }: RunningFleet): Promise<void> {
  const client = await hub.client();
  const watching = new AbortController();
  const options = { resourceVersion: '0', signal: watching.signal };
  for await (const { type } of client.watch(clusterSchedulingPolicySnapshots, options)) if (type === 'ADDED') break;
  watching.abort();
  await client.close();
}
