/** Keeps a token file as fresh as a Secret of the member is; `flotilla agent refresh-token`, loaded when it runs. */
import type { Client } from '@flotilla/client';
import { isJsonObject, secrets, type KubeObject } from '@flotilla/kube';
import { pause, systemClock, type Clock } from '@flotilla/timing';
import { explainedAccess } from '../explain-access-error.ts';
import { say } from '../server-flags.ts';
import { stopSignal } from '../stop-signal.ts';
import { clusterOf, memberAccess } from './connect-clusters.ts';
import { replaceFile } from '../replace-file.ts';

export interface RefreshFlags {
  readonly name: string;
  readonly namespace: string;
  readonly filePath: string;
  readonly memberKubeconfig?: string;
  readonly memberContext?: string;
}

/** A Secret does not say how long its token is good; this much is assumed, and half of it used. */
const assumedMs = 24 * 3_600_000;

const firstRetryMs = 30_000;

/** A server that has not answered by then will not. */
const deadlineMs = 30_000;

export async function runRefreshToken(flags: RefreshFlags): Promise<void> {
  const stopping = new AbortController();
  const stopped = stopSignal().then(() => stopping.abort());
  const alive = setInterval(() => undefined, 2 ** 30);
  try {
    const { client } = clusterOf(await memberAccess(flags, process.env));
    await Promise.race([stopped, refreshForEver(client, flags, systemClock, stopping.signal)]);
    await client.close();
  } catch (error) {
    throw explainedAccess(error);
  } finally {
    clearInterval(alive);
  }
}

async function refreshForEver(member: Client, flags: RefreshFlags, clock: Clock, signal: AbortSignal): Promise<void> {
  const { name, namespace, filePath } = flags;
  let intervalMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      await replaceFile(filePath, await tokenIn(member, flags, signal));
      intervalMs = assumedMs / 2;
      say(`${filePath} holds the token of the Secret ${namespace}/${name}.`);
    } catch (error) {
      if (!signal.aborted) say(`The token could not be renewed: ${(error as Error).message}. It will be tried again.`);
    }
    await pause(clock, intervalMs, signal);
  }
}

/** A server that is busy for a moment is asked again at once, then a little later, three times. */
const retriesMs = [10, 50, 250];

async function tokenIn(member: Client, { name, namespace }: RefreshFlags, stopping: AbortSignal): Promise<string> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(deadlineMs)]);
  const get = (): Promise<KubeObject> => member.get(secrets, { namespace, name }, { signal });
  const secret = await retriesMs.reduce(
    (tried, delayMs) => tried.catch(() => pause(systemClock, delayMs, signal).then(get)),
    get(),
  );
  const token = isJsonObject(secret['data']) ? secret['data']['token'] : undefined;
  if (typeof token !== 'string' || token === '') throw new Error(`the Secret ${namespace}/${name} has no token`);
  return Buffer.from(token, 'base64').toString('utf8');
}
