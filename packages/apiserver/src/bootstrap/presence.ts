import type { ApiServer } from '../server.ts';
import { IdentityLease } from './identity-lease.ts';
import { ensureServerEndpoints } from './server-endpoints.ts';

export interface PresenceOptions {
  readonly port: number;
  /** Where others reach the server. */
  readonly address: string;
  readonly hostname: string;
}

/** What a running server says about itself, until it is withdrawn. */
export interface Presence {
  readonly withdraw: () => Promise<void>;
}

/** Servers that stand for themselves say where they are; embedded ones have nobody to tell. */
export async function announcePresence(api: ApiServer, options: PresenceOptions): Promise<Presence> {
  const { handle, surroundings } = api;
  const { port, address, hostname } = options;
  const lease = new IdentityLease({ handle, surroundings, hostname, peerAddress: `${address}:${port}` });
  await Promise.all([lease.take(), ensureServerEndpoints(handle, address, port)]);
  return { withdraw: () => lease.release() };
}
