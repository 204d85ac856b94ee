import { ConnectionError, readJsonObject } from '@flotilla/client';
import { ApiError } from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';
import type { Cluster } from './connect-clusters.ts';

export interface Awaiting {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Told why it takes so long, when the reason is a new one. */
  readonly onTrouble: (reason: string) => void;
}

const firstDelayMs = 250;
const maxDelayMs = 30_000;

/** Until a server answers; returns which version it is. A server that is gone is waited for, ever more patiently. */
export async function awaitServer({ client }: Cluster, awaiting: Awaiting): Promise<string> {
  const { clock, random, signal, onTrouble } = awaiting;
  let said: string | undefined;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      const { body } = await client.request({ method: 'GET', path: '/version', signal });
      return versionIn(body);
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error);
      if (reason !== said) onTrouble((said = reason));
    }
    await pause(clock, delayMs * (1 + random() / 10), signal);
    signal.throwIfAborted();
  }
}

/** Refusals, silence and nonsense pass: tokens are renewed, servers come back. Other errors are ours. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
  return error.message.slice(0, maxReason).replaceAll(/\p{Cc}/gu, ' ');
}

/** Characters; a server may say anything. */
const maxReason = 500;

/** What a terminal shows as it is. */
const printable = /^[\x20-\x7e]{1,100}$/;

function versionIn(body: Uint8Array): string {
  const { gitVersion: version } = readJsonObject(body);
  return typeof version === 'string' && printable.test(version) ? version : 'an unknown version';
}
