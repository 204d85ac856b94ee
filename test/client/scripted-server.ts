/** Servers that misbehave on purpose: each follows the script of its test. */
import { once } from 'node:events';
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { freshCredentials } from '@flotilla/apiserver';
import {
  createClient,
  fixedCredentials,
  httpTransport,
  type Client,
  type HttpTransportOptions,
} from '@flotilla/client';

export const key = { namespace: 'default', name: 'web' };
export const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default' } };

type TestCredentials = Awaited<ReturnType<typeof freshCredentials>>;

export type Answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, session: ServerHttp2Session) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly port: number;
  readonly credentials: TestCredentials;
  readonly sessions: readonly ServerHttp2Session[];
  readonly close: () => Promise<void>;
}

let made: Promise<TestCredentials> | undefined;

/** Creating keys is slow, so all servers of a file share them. */
export function testCredentials(): Promise<TestCredentials> {
  return (made ??= freshCredentials(['127.0.0.1', 'localhost', 'kubernetes'], new Date()));
}

/** An HTTP/2 server whose handler is the test's. */
export async function scriptedServer(answer: Answer, maxConcurrentStreams = 100, at = 0): Promise<ScriptedServer> {
  const credentials = await testCredentials();
  const { key: tlsKey, certificate: cert, clientAuthority: ca } = credentials.server;
  const options = { key: tlsKey, cert, ca, requestCert: true, rejectUnauthorized: false };
  const server = createSecureServer({ ...options, settings: { maxConcurrentStreams } });
  const sessions: ServerHttp2Session[] = [];
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined);
    answer(stream, headers, stream.session as ServerHttp2Session);
  });
  const port = await listening(server, at);
  const close = async (): Promise<void> => {
    for (const session of sessions) session.destroy();
    server.close();
    await once(server, 'close');
  };
  return { url: `https://127.0.0.1:${port}`, port, credentials, sessions, close };
}

/** A TLS server that completes the handshake and gives the socket to the test. */
export async function rawServer(protocols: readonly string[], take: (socket: TLSSocket) => void) {
  const credentials = await testCredentials();
  const { key: tlsKey, certificate: cert } = credentials.server;
  const server = createTlsServer({ key: tlsKey, cert, ALPNProtocols: [...protocols] }, (socket) => {
    socket.on('error', () => undefined);
    take(socket);
  });
  return { credentials, ...(await closable(server)) };
}

/** A server without TLS, byte by byte. */
export async function tcpServer(take: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    take(socket);
  });
  return closable(server);
}

async function closable(server: Server): Promise<{ port: number; url: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  const port = await listening(server);
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return { port, url: `https://127.0.0.1:${port}`, close };
}

async function listening(server: Pick<Server, 'listen' | 'address'>, port = 0): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** A client that trusts the test's servers. */
export async function clientFor(
  url: string,
  options: Partial<HttpTransportOptions> & Parameters<typeof createClient>[1] = {},
): Promise<Client> {
  const { server } = await testCredentials();
  const credentials = fixedCredentials({ authority: server.authority });
  return createClient(httpTransport({ server: url, credentials, ...options }), options);
}

/** Answers with an object. */
export function sendObject(stream: ServerHttp2Stream, object: object, status = 200): void {
  stream.respond({ ':status': status, 'content-type': 'application/json' });
  stream.end(JSON.stringify(object));
}

/** Answers with the beginning of something. */
export function sendPart(stream: ServerHttp2Stream, text: string): void {
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  stream.write(text);
}
