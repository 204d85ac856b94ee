import { ConnectionError, readJsonObject } from '@flotilla/client';
import { ApiError } from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';
import type { Cluster } from './connect-clusters.ts';

export interface AwaitOptions {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Called with the reason of a failed attempt, unless the attempt before failed for the same reason. */
  readonly onFailure: (reason: string) => void;
}

const firstDelayMs = 250;
const maxDelayMs = 30_000;

/** Retries with backoff until the server responds. Returns its version. */
export async function awaitServer({ client }: Cluster, options: AwaitOptions): Promise<string> {
  const { clock, random, signal, onFailure } = options;
  let lastReason: string | undefined;
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    try {
      const { body } = await client.request({ method: 'GET', path: '/version', signal });
      return versionIn(body);
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error);
      if (reason !== lastReason) onFailure((lastReason = reason));
    }
    await pause(clock, delayMs * (1 + random() / 10), signal);
    signal.throwIfAborted();
  }
}

/** Errors of the server or the connection may pass: tokens are renewed, servers restart. Other errors are bugs and are thrown. */
function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
  return error.message.slice(0, maxReason).replaceAll(/\p{Cc}/gu, ' ');
}

/** In characters: the server's message may be of any length. */
const maxReason = 500;

/** Keeps control characters of an untrusted server off the terminal. */
const printable = /^[\x20-\x7e]{1,100}$/;

function versionIn(body: Uint8Array): string {
  const { gitVersion: version } = readJsonObject(body);
  return typeof version === 'string' && printable.test(version) ? version : 'unknown version';
}
