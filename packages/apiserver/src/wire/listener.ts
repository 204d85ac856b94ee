import { createSecureServer, constants, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { silentLogger, type ApiError, type Logger } from '@flotilla/kube';
import { ClientCertificates } from '../access/authentication/client-certificates.ts';
import type { ServerIdentity } from '../credentials/certificates.ts';
import type { FailedRequest } from '../metrics/request-observer.ts';
import { Connections, ownConnectionLimit } from './connections.ts';
import { ServerRoutes, type RoutedServer } from './server-routes.ts';
import { answerHttp1, refuseExpectation } from './http1.ts';
import { answerStream } from './http2.ts';
import { handshakeTimeoutMs, http1Limits, sessionLimits, sessionWindowBytes, tcpLimits } from '../limits/limits.ts';
import { answerWebSocket, asksForWebSocketWatch } from './web-socket.ts';

/** What every request of a listener needs. */
export interface ListenerContext {
  readonly routes: ServerRoutes;
  readonly certificates: ClientCertificates;
  /** Logs and counts an exception that no server caught, and returns the error for the client. */
  readonly reportFault: (request: FailedRequest, error: unknown) => ApiError;
}

/** `handle`, `authenticate` and `reportFault` are those of the server at `/`. */
export interface ListenerOptions extends RoutedServer, Pick<ListenerContext, 'reportFault'> {
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
  readonly routes: ServerRoutes;
  /**
   * Uses another certificate and other client authorities. Connections stay open; clients with a certificate that no authority
   * signed are refused.
   */
  setIdentity(identity: ServerIdentity): void;
  /** Stops accepting, lets requests in flight end, and ends watches. Resolves when all sockets are closed. */
  close(graceMs: number): Promise<void>;
}

/** Node has this option only for HTTP/1.1 servers; an HTTP/2 server reads it from this property. */
interface UpgradingServer {
  shouldUpgradeCallback: (message: IncomingMessage) => boolean;
}

/** One TLS port for HTTP/2 and HTTP/1.1, chosen by the client. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { identity, host, port, reportFault, logger = silentLogger } = options;
  const stopping = new AbortController();
  const certificates = new ClientCertificates(options.now);
  const context: ListenerContext = { routes: new ServerRoutes(options), certificates, reportFault };
  const server = createSecureServer({
    ...sessionLimits,
    ...http1Limits,
    ...tcpLimits,
    handshakeTimeout: handshakeTimeoutMs,
    allowHTTP1: true,
    ...secureContext(identity),
    requestCert: true,
    // Clients without a certificate may have a token.
    rejectUnauthorized: false,
  });
  server.maxConnections = ownConnectionLimit() ?? Infinity;
  const connections = new Connections(server, logger);
  // Node emits `session` in the same turn as `secureConnection`, without the raw socket.
  let newest: Socket;
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    newest = socket;
  });
  server.on('session', (session) => {
    const connection = connections.open(session, newest);
    session.setLocalWindowSize(sessionWindowBytes);
    // Each stream gets its own error for a broken connection.
    session.on('error', () => undefined);
    const ended = function (this: ServerHttp2Stream): void {
      connection.ended++;
      // Only a full garbage collection frees a stream. Without listeners, request and response are freed earlier.
      this.removeAllListeners();
    };
    // Node's own listener only emits `stream` on the server, which costs a small part of a get.
    session.removeAllListeners('stream');
    session.on('stream', (stream, headers, _flags, rawHeaders: readonly string[]) => {
      connection.opened++;
      stream.once('close', ended);
      answerStream(stream, headers, rawHeaders, context, stopping.signal);
    });
  });
  server.on('request', (request, response) => {
    answerHttp1(request as unknown as IncomingMessage, response as unknown as ServerResponse, context, stopping.signal);
  });
  server.on('checkExpectation', (request, response) => {
    refuseExpectation(request, response);
  });
  // Listening for HTTP/1.1 requests also wraps every HTTP/2 stream in a compatibility layer, which costs a third of a get.
  server.removeAllListeners('stream');
  (server as unknown as UpgradingServer).shouldUpgradeCallback = (message) => asksForWebSocketWatch(message, context);
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Uint8Array) =>
    answerWebSocket(message, socket, head, context, stopping.signal),
  );
  server.on('tlsClientError', () => undefined);
  server.on('sessionError', () => undefined);
  await startListening(server, host, port);
  // Without a listener, an error of the listening socket would end the process.
  server.on('error', (error) => logger.error('accepting a connection failed', { error }));
  const address = server.address() as AddressInfo;
  return {
    host,
    port: address.port,
    routes: context.routes,
    setIdentity: (next) => {
      server.setSecureContext(secureContext(next));
      context.certificates.setAuthorities(next.clientAuthority);
    },
    close: (graceMs) => close({ server, connections, stopping }, graceMs),
  };
}

function secureContext({ key, certificate, clientAuthority }: ServerIdentity): SecureContextOptions {
  return { key, cert: certificate, ca: clientAuthority };
}

function startListening(server: Http2SecureServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

interface RunningListener {
  readonly server: Http2SecureServer;
  readonly connections: Connections;
  readonly stopping: AbortController;
}

async function close({ server, connections, stopping }: RunningListener, graceMs: number): Promise<void> {
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
