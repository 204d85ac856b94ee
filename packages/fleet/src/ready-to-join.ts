import { memberClusterConditions, memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { objectStates } from './object-states.ts';

/**
 * Resolves when the hub has created the member's namespace and role, so that its agent is not refused. Rejects with the
 * message of the condition if the hub cannot.
 */
export async function untilReadyToJoin(hub: Client, name: string, signal?: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const until = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const fieldSelector = `metadata.name=${name}`;
  try {
    for await (const { status } of objectStates(hub, memberClusters, { fieldSelector, signal: until })) {
      const ready = status?.conditions?.find(({ type }) => type === memberClusterConditions.readyToJoin);
      if (ready?.status === 'True') return;
      if (ready?.status === 'False') throw new Error(ready.message);
    }
  } finally {
    ending.abort();
  }
  signal?.throwIfAborted();
}
