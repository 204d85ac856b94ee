import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemClock, type Clock } from '@flotilla/timing';
import { ConnectionError, messageOf } from '../connection-error.ts';
import type { Transport, TransportRequest, TransportResponse } from '../transport.ts';
import { ConnectionPool } from './connection-pool.ts';
import { fixedCredentials, type Credentials, type Identity } from './credentials.ts';
import { isLoopback, hostPortOf } from './host-port.ts';

export interface HttpTransportOptions {
  /** `https://host:port`, optionally with a path prefix. `http:` means HTTP/1.1 without TLS. */
  readonly server: string;
  readonly credentials?: Credentials;
  /** The name that the server's certificate must have, if not the host of the URL. */
  readonly serverName?: string;
  readonly skipsVerification?: boolean;
  /** `http:`, `https:` or `socks5:`. */
  readonly proxy?: string;
  /** Whether to accept gzip. Default: unless the server is on this machine. */
  readonly compression?: boolean;
  readonly clock?: Clock;
}

/** Sends requests to any Kubernetes API server: HTTP/2 where the server supports it, else HTTP/1.1. */
export function httpTransport(options: HttpTransportOptions): Transport {
  const { serverName, skipsVerification, proxy, clock = systemClock } = options;
  const { credentials = fixedCredentials({}) } = options;
  const url = new URL(options.server);
  const connections = new ConnectionPool({
    url,
    clock,
    ...(serverName !== undefined && { serverName }),
    ...(skipsVerification !== undefined && { skipsVerification }),
    ...(proxy !== undefined && { proxy: new URL(proxy) }),
  });
  const prefix = withoutLastSlash(url.pathname);
  const compression = options.compression ?? !isLoopback(hostPortOf(url).host);
  const sendAs = async (identity: Identity, request: TransportRequest): Promise<TransportResponse> =>
    decompressed(await connections.send(identity, prepareRequest(request, { prefix, compression, identity })));

  return {
    send: async (request) => {
      const identity = await identityFrom(credentials);
      const response = await sendAs(identity, request);
      if (response.status !== 401) return response;
      // A 401 changed nothing, so any request may be retried with another identity.
      credentials.refused(identity);
      const other = await identityFrom(credentials).catch(() => identity);
      if (other === identity) return response;
      await response.body[Symbol.asyncIterator]().return?.();
      return sendAs(other, request);
    },
    close: () => {
      connections.close();
      return Promise.resolve();
    },
  };
}

async function identityFrom(credentials: Credentials): Promise<Identity> {
  try {
    return await credentials.current();
  } catch (error) {
    throw new ConnectionError(`no credentials: ${messageOf(error)}`, 'unreachable', { cause: error });
  }
}

function withoutLastSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

interface Address {
  readonly prefix: string;
  readonly compression: boolean;
  readonly identity: Identity;
}

function prepareRequest(request: TransportRequest, { prefix, compression, identity }: Address): TransportRequest {
  const { authorization } = identity;
  return {
    ...request,
    path: `${prefix}${request.path}`,
    headers: {
      ...(compression && { 'accept-encoding': 'gzip' }),
      ...(authorization !== undefined && { authorization }),
      ...request.headers,
    },
  };
}

function decompressed(response: TransportResponse): TransportResponse {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const { 'content-encoding': _encoding, 'content-length': _length, ...headers } = response.headers;
  return { ...response, headers, body: gunzipped(response.body) };
}

async function* gunzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip();
  pipeline(Readable.from(body), gunzip, () => undefined);
  try {
    for await (const piece of gunzip) yield piece as Uint8Array;
  } catch (error) {
    if (!(error instanceof Error) || !('errno' in error)) throw error;
    throw new ConnectionError(`cannot decompress the response: ${error.message}`, 'cut', { cause: error });
  }
}
