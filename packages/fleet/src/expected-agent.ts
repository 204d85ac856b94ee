import { memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { errorMessage, type Logger } from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';
import type { ConnectedAgent } from './agent-runner.ts';
import { untilReadyToJoin } from './ready-to-join.ts';

interface ExpectedAgentOptions {
  readonly name: string;
  /** An administrator's client of the hub. `disconnect` closes it. */
  readonly hub: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly start: (signal: AbortSignal) => Promise<ConnectedAgent>;
}

/** After the hub or the agent refused. */
const retryMs = 5000;

/**
 * An agent that runs only while its MemberCluster exists. It joins at once when a user creates one: it does not have to ask
 * the hub again and again, as an agent in another process would.
 */
export function expectedAgent({ name, hub, clock, logger, start }: ExpectedAgentOptions): ConnectedAgent {
  const stopping = new AbortController();
  const { signal } = stopping;
  let agent: ConnectedAgent | undefined;
  let isStarting = false;
  const end = async (): Promise<void> => {
    const running = agent;
    agent = undefined;
    isStarting = false;
    await running?.stop();
    await running?.disconnect();
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await untilReadyToJoin(hub, name, signal);
        isStarting = true;
        agent = await start(signal);
        isStarting = false;
        await untilDeleted(hub, name, signal);
      } catch (error) {
        if (signal.aborted) break;
        logger.warn('agent did not start, retrying', { message: errorMessage(error) });
        isStarting = false;
        await pause(clock, retryMs, signal).catch(() => undefined);
      } finally {
        await end();
      }
    }
  };
  const ended = run();
  return {
    isAtRest: () => agent?.isAtRest() ?? !isStarting,
    stop: async () => {
      stopping.abort();
      await ended;
    },
    disconnect: async () => {
      await agent?.disconnect();
      await hub.close();
    },
  };
}

/** Resolves when the hub has no MemberCluster of this name. */
export async function untilDeleted(hub: Client, name: string, signal: AbortSignal): Promise<void> {
  const ending = new AbortController();
  const until = AbortSignal.any([signal, ending.signal]);
  const fieldSelector = `metadata.name=${name}`;
  const { items, resourceVersion } = await hub.list(memberClusters, { fieldSelector, signal });
  if (items.length === 0) return;
  try {
    for await (const { type } of hub.watch(memberClusters, { resourceVersion, fieldSelector, signal: until })) {
      if (type === 'DELETED') return;
    }
  } finally {
    ending.abort();
  }
  signal.throwIfAborted();
}
