import { internalMemberClusters, type InternalMemberCluster } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ApiError } from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';
import { periodOf } from './heartbeat-delay.ts';

export interface StatusWriter {
  readonly hub: Client;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** The values of client-go's retry.DefaultBackoff. */
const maxTries = 4;
const firstDelayMs = 10;
const factor = 5;
const jitter = 0.1;

/** Writes the status of an InternalMemberCluster, with retries while the server is busy. */
export async function writeStatus(object: InternalMemberCluster, writer: StatusWriter): Promise<InternalMemberCluster> {
  const { hub, clock, random, signal } = writer;
  const capMs = periodOf(object) * 1000;
  const { apiVersion, kind, spec, status = {} } = object;
  const { name = '', namespace = '', uid = '', resourceVersion = '' } = object.metadata;
  const sent = { apiVersion, kind, metadata: { name, namespace, uid, resourceVersion }, spec, status };
  let delayMs = firstDelayMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await hub.update(internalMemberClusters, sent, { subresource: 'status', signal });
    } catch (error) {
      if (attempt === maxTries || !isBusy(error) || signal.aborted) throw error;
      await pause(clock, Math.min(delayMs * (1 + jitter * random()), capMs), signal);
      delayMs *= factor;
    }
  }
}

const busyReasons: readonly string[] = ['ServiceUnavailable', 'ServerTimeout', 'TooManyRequests'];

function isBusy(error: unknown): boolean {
  return error instanceof ApiError && busyReasons.includes(error.reason);
}
