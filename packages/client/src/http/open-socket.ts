import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls, createSecureContext, type ConnectionOptions } from 'node:tls';
import type { Clock } from '@flotilla/timing';
import { ConnectionError, sentenceOf } from '../connection-error.ts';
import type { Identity } from './credentials.ts';
import { opened } from './opened.ts';
import { placeOf } from './host-port.ts';
import { throughProxy } from './proxy.ts';

/** The server, and how its sockets are to be opened. */
export interface Target {
  readonly url: URL;
  /** Whom the certificate must name, when that is not the host of the URL. */
  readonly serverName?: string;
  readonly skipsVerification?: boolean;
  readonly proxy?: URL;
  readonly clock: Clock;
}

const keepAliveMs = 30_000;

/** A socket that HTTP can be spoken on: which one, `protocols` and the server decide together. */
export async function openSocket(target: Target, identity: Identity, protocols: readonly string[]): Promise<Socket> {
  const { url, clock } = target;
  try {
    const tcp = await openTcp(target);
    if (url.protocol === 'http:') return tcp;
    const secure = connectTls({ ...tlsOptions(target, identity), socket: tcp, ALPNProtocols: [...protocols] });
    return await opened(secure, clock, 'secureConnect');
  } catch (error) {
    const message = `cannot connect to ${url.protocol}//${url.host}: ${sentenceOf(error)}`;
    throw new ConnectionError(message, 'unreachable', { cause: error });
  }
}

function openTcp({ url, proxy, clock }: Target): Promise<Socket> {
  const place = placeOf(url);
  if (proxy !== undefined) return throughProxy(proxy, place, clock);
  const socket = connectTcp({ ...place, keepAlive: true, keepAliveInitialDelay: keepAliveMs, noDelay: true });
  return opened(socket, clock, 'connect');
}

function tlsOptions({ url, serverName, skipsVerification }: Target, identity: Identity): ConnectionOptions {
  const { authority, certificate, key } = identity;
  const host = serverName ?? placeOf(url).host;
  return {
    host,
    // Addresses are checked against the certificate, but cannot be asked for.
    ...(isIP(host) === 0 && { servername: host }),
    secureContext: createSecureContext({
      ...(authority !== undefined && { ca: authority }),
      // Kubeconfigs may name the server's own certificate, or one between it and the root, as Go's TLS lets them.
      allowPartialTrustChain: true,
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
    }),
    rejectUnauthorized: skipsVerification !== true,
    checkServerIdentity: (_name, peer) => checkServerIdentity(host, peer),
  };
}
