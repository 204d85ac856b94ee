import { createSecureServer, constants, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { silentLogger, type ApiError, type Logger } from '@flotilla/kube';
import { ClientCertificates } from '../access/authentication/client-certificates.ts';
import type { ServerIdentity } from '../credentials/certificates.ts';
import type { FailedRequest } from '../metrics/observed.ts';
import { ownConnectionLimit } from './connection-limit.ts';
import { Connections } from './connections.ts';
import { Entrances, type Entrance } from './server-routes.ts';
import { answerHttp1, refuseExpectation } from './http1.ts';
import { answerStream } from './http2.ts';
import { handshakeTimeoutMs, http1Limits, sessionLimits, sessionWindowBytes, tcpLimits } from '../limits/limits.ts';
import { answerWebSocket, asksForWebSocketWatch } from './web-socket.ts';

/** What a request passes on its way from a socket to its answer. */
export interface Door {
  readonly entrances: Entrances;
  readonly certificates: ClientCertificates;
  /** Logs and counts what no server could catch, and returns the error that the client gets. */
  readonly fault: (request: FailedRequest, error: unknown) => ApiError;
}

/** `handle`, `authenticate` and `fault` are those of the server at `/`. */
export interface ListenerOptions extends Entrance, Pick<Door, 'fault'> {
  readonly identity: ServerIdentity;
  readonly now: () => number;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly logger?: Logger;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** The servers behind this port. */
  readonly entrances: Entrances;
  /**
   * Shows another certificate and believes other authorities from now on. Connections stay; those that proved themselves by
   * a certificate which nobody vouches for any more are known no longer.
   */
  setIdentity(identity: ServerIdentity): void;
  /** Stops accepting, lets requests in flight end, and ends watches; resolves when all sockets are gone. */
  close(graceMs: number): Promise<void>;
}

/** Node asks this of servers for HTTP/1.1; the one for both versions has it too, but takes no option for it. */
interface UpgradingServer {
  shouldUpgradeCallback: (message: IncomingMessage) => boolean;
}

/** One TLS port for HTTP/2 and HTTP/1.1, chosen by the client. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { identity, host, port, fault, logger = silentLogger } = options;
  const stopping = new AbortController();
  const certificates = new ClientCertificates(options.now);
  const door: Door = { entrances: new Entrances(options), certificates, fault };
  const server = createSecureServer({
    ...sessionLimits,
    ...http1Limits,
    ...tcpLimits,
    handshakeTimeout: handshakeTimeoutMs,
    allowHTTP1: true,
    ...secureContext(identity),
    requestCert: true,
    // Certificates are one way in among others: who has none may still bring a token.
    rejectUnauthorized: false,
  });
  server.maxConnections = ownConnectionLimit() ?? Infinity;
  const connections = new Connections(server, logger);
  // A session is made, and told of, in the same turn in which its socket is.
  let newest: Socket;
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    newest = socket;
  });
  server.on('session', (session) => {
    const connection = connections.open(session, newest);
    session.setLocalWindowSize(sessionWindowBytes);
    // A broken connection is its client's business; its streams learn of it by themselves.
    session.on('error', () => undefined);
    const ended = function (this: ServerHttp2Stream): void {
      connection.ended++;
      // Only a full collection frees a stream; what was asked and answered on it need not wait for that.
      this.removeAllListeners();
    };
    // Node's own listener only tells the server of each stream, which costs as much as a small part of a get.
    session.removeAllListeners('stream');
    session.on('stream', (stream, headers, _flags, rawHeaders: readonly string[]) => {
      connection.opened++;
      stream.once('close', ended);
      answerStream(stream, headers, rawHeaders, door, stopping.signal);
    });
  });
  server.on('request', (request, response) => {
    answerHttp1(request as unknown as IncomingMessage, response as unknown as ServerResponse, door, stopping.signal);
  });
  server.on('checkExpectation', (request, response) => {
    refuseExpectation(request, response);
  });
  // Listening for HTTP/1.1 requests also wraps every HTTP/2 stream in a compatibility layer, which costs a third of a get.
  server.removeAllListeners('stream');
  (server as unknown as UpgradingServer).shouldUpgradeCallback = (message) => asksForWebSocketWatch(message, door);
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Uint8Array) =>
    answerWebSocket(message, socket, head, door, stopping.signal),
  );
  server.on('tlsClientError', () => undefined);
  server.on('sessionError', () => undefined);
  await started(server, host, port);
  // Without a listener an error of the socket that accepts would end the process.
  server.on('error', (error) => logger.error('accepting a connection failed', { error }));
  const address = server.address() as AddressInfo;
  return {
    host,
    port: address.port,
    entrances: door.entrances,
    setIdentity: (next) => {
      server.setSecureContext(secureContext(next));
      door.certificates.setAuthorities(next.clientAuthority);
    },
    close: (graceMs) => close({ server, connections, stopping }, graceMs),
  };
}

function secureContext({ key, certificate, clientAuthority }: ServerIdentity): SecureContextOptions {
  return { key, cert: certificate, ca: clientAuthority };
}

function started(server: Http2SecureServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

interface Open {
  readonly server: Http2SecureServer;
  readonly connections: Connections;
  readonly stopping: AbortController;
}

async function close({ server, connections, stopping }: Open, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  stopping.abort();
  for (const session of connections.sessions) session.close();
  const cut = setTimeout(() => {
    for (const session of connections.sessions) session.destroy(undefined, constants.NGHTTP2_NO_ERROR);
    for (const socket of connections.sockets) socket.destroy();
  }, graceMs);
  await closed;
  clearTimeout(cut);
}
