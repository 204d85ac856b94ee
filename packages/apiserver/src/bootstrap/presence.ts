import type { ApiServer } from '../server/server.ts';
import { publishClientAuthority } from './client-authority.ts';
import { ensureObject, type BootstrapObject } from '../own-requests/ensure-object.ts';
import { IdentityLease } from './identity-lease.ts';
import { ensureServerEndpoints } from './server-endpoints.ts';

export interface PresenceOptions {
  readonly port: number;
  /** Where others reach the server. */
  readonly address: string;
  readonly hostname: string;
  /** PEM: signs client certificates. */
  readonly clientAuthority: string;
  /** Decides whether a server can be without what could not be stored: throws if not. */
  readonly failed?: (error: unknown) => void;
}

/** What a running server publishes about itself until it stops. */
export interface Presence {
  readonly stop: () => Promise<void>;
}

/** Servers that stand for themselves say where they are; embedded ones have nobody to tell. */
export async function announcePresence(api: ApiServer, options: PresenceOptions): Promise<Presence> {
  const { handle, parts } = api;
  const { port, address, hostname, clientAuthority, failed = rethrow } = options;
  const now = parts.now();
  const lease = new IdentityLease({ handle, parts, hostname, peerAddress: `${address}:${port}` });
  await Promise.all([
    lease.take(failed),
    ensureServerEndpoints(handle, address, port).catch(failed),
    ensureObject(handle, legacyTokenTracking(now), now).catch(failed),
    publishClientAuthority(api, clientAuthority).catch(failed),
  ]);
  return { stop: () => lease.release() };
}

function rethrow(error: unknown): never {
  throw error;
}

/** Since when it is written down that tokens in secrets were used: older ones may have been used before. */
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
