import type { ApiServer } from '../server/server.ts';
import { publishClientAuthority } from './client-authority.ts';
import { ensureObject, type BootstrapObject } from '../own-requests/ensure-object.ts';
import { IdentityLease } from './identity-lease.ts';
import { ensureServerEndpoints } from './server-endpoints.ts';

export interface PublishOptions {
  readonly port: number;
  /** At which clients reach the server. */
  readonly address: string;
  readonly hostname: string;
  /** Signs client certificates; PEM. */
  readonly clientAuthority: string;
  /** Gets the error of an object that could not be written. Throws if the server must not start without it. */
  readonly failed?: (error: unknown) => void;
}

export interface PublishedServer {
  readonly stop: () => Promise<void>;
}

/** Publishes lease, endpoints and client authority of a server. Not for embedded servers: no other component looks for them. */
export async function publishServer(api: ApiServer, options: PublishOptions): Promise<PublishedServer> {
  const { handle, parts } = api;
  const { port, address, hostname, clientAuthority, failed = rethrow } = options;
  const now = parts.now();
  const lease = new IdentityLease({ handle, parts, hostname, peerAddress: `${address}:${port}` });
  await Promise.all([
    lease.acquire(failed),
    ensureServerEndpoints(handle, address, port).catch(failed),
    ensureObject(handle, legacyTokenTracking(now), now).catch(failed),
    publishClientAuthority(api, clientAuthority).catch(failed),
  ]);
  return { stop: () => lease.release() };
}

function rethrow(error: unknown): never {
  throw error;
}

/** The day from which on the use of legacy tokens is tracked; earlier use is unknown. */
function legacyTokenTracking(now: Date): BootstrapObject {
  return {
    path: '/api/v1/namespaces/kube-system/configmaps',
    object: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'kube-apiserver-legacy-service-account-token-tracking' },
      data: { since: now.toISOString().slice(0, 10) },
    },
  };
}
