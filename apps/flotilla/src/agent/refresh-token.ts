/** `flotilla agent refresh-token`: copies a token from a Secret of the member to a file, again and again. Loaded when it runs. */
import type { Client } from '@flotilla/client';
import { isJsonObject, secrets, type KubeObject } from '@flotilla/kube';
import { pause, systemClock, type Clock } from '@flotilla/timing';
import { explainAccessError } from '../explain-access-error.ts';
import { print } from '../server-flags.ts';
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

/** A Secret does not say when its token expires. The file is written again after half of this. */
const assumedLifetimeMs = 24 * 3_600_000;

const firstRetryMs = 30_000;

const requestTimeoutMs = 30_000;

export async function runRefreshToken(flags: RefreshFlags): Promise<void> {
  const stopping = new AbortController();
  const stopped = stopSignal().then(() => stopping.abort());
  const keepAlive = setInterval(() => undefined, 2 ** 30);
  try {
    const { client } = clusterOf(await memberAccess(flags, process.env));
    await Promise.race([stopped, refreshUntilStopped(client, flags, systemClock, stopping.signal)]);
    await client.close();
  } catch (error) {
    throw explainAccessError(error);
  } finally {
    clearInterval(keepAlive);
  }
}

async function refreshUntilStopped(
  member: Client,
  flags: RefreshFlags,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace, filePath } = flags;
  let intervalMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      await replaceFile(filePath, await tokenIn(member, flags, signal));
      intervalMs = assumedLifetimeMs / 2;
      print(`Wrote the token of the Secret ${namespace}/${name} to ${filePath}.`);
    } catch (error) {
      if (!signal.aborted) print(`Cannot renew the token: ${(error as Error).message}. Retrying.`);
    }
    await pause(clock, intervalMs, signal);
  }
}

const retriesMs = [10, 50, 250];

/** The token in a Secret. */
export async function tokenIn(
  member: Client,
  { name, namespace }: Pick<RefreshFlags, 'name' | 'namespace'>,
  stopping: AbortSignal,
): Promise<string> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(requestTimeoutMs)]);
  const get = (): Promise<KubeObject> => member.get(secrets, { namespace, name }, { signal });
  const secret = await retriesMs.reduce(
    (attempt, delayMs) => attempt.catch(() => pause(systemClock, delayMs, signal).then(get)),
    get(),
  );
  const token = isJsonObject(secret['data']) ? secret['data']['token'] : undefined;
  if (typeof token !== 'string' || token === '') throw new Error(`the Secret ${namespace}/${name} has no key "token"`);
  return Buffer.from(token, 'base64').toString('utf8');
}
