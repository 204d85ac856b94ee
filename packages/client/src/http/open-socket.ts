import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, createSecureContext, type ConnectionOptions } from 'node:tls';
import type { Clock } from '@flotilla/timing';
import { ConnectionError, messageOf } from '../connection-error.ts';
import type { Identity } from './credentials.ts';
import { waitUntilOpen } from './socket-io.ts';
import { hostPortOf } from './host-port.ts';
import { connectThroughProxy } from './proxy.ts';

/** A server, and how to open sockets to it. */
export interface Target {
  readonly url: URL;
  /** The name that the certificate must have, if not the host of the URL. */
  readonly serverName?: string;
  readonly skipsVerification?: boolean;
  readonly proxy?: URL;
  readonly clock: Clock;
}

const keepAliveMs = 30_000;

/** Opens a socket for HTTP. ALPN chooses among `protocols`. */
export async function openSocket(target: Target, identity: Identity, protocols: readonly string[]): Promise<Socket> {
  const { url, clock } = target;
  try {
    const tcp = await openTcp(target);
    if (url.protocol === 'http:') return tcp;
    const secure = connectTls({ ...tlsOptions(target, identity), socket: tcp, ALPNProtocols: [...protocols] });
    return await waitUntilOpen(secure, clock, 'secureConnect');
  } catch (error) {
    const message = `cannot connect to ${url.protocol}//${url.host}: ${messageOf(error)}`;
    throw new ConnectionError(message, 'unreachable', { cause: error });
  }
}

function openTcp({ url, proxy, clock }: Target): Promise<Socket> {
  const place = hostPortOf(url);
  if (proxy !== undefined) return connectThroughProxy(proxy, place, clock);
  const socket = connectTcp({ ...place, keepAlive: true, keepAliveInitialDelay: keepAliveMs, noDelay: true });
  return waitUntilOpen(socket, clock, 'connect');
}

function tlsOptions({ url, serverName, skipsVerification }: Target, identity: Identity): ConnectionOptions {
  const { authority, certificate, key } = identity;
  const host = serverName ?? hostPortOf(url).host;
  return {
    host,
    // SNI takes no addresses, but certificates may contain them.
    ...(isIP(host) === 0 && { servername: host }),
    secureContext: createSecureContext({
      ...(authority !== undefined && { ca: authority }),
      // As in Go, the authority may be the server's own certificate or an intermediate one.
      allowPartialTrustChain: true,
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
    }),
    rejectUnauthorized: skipsVerification !== true,
    checkServerIdentity: (_name, peer) => checkServerIdentity(host, peer),
  };
}
