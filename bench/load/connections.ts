import { once } from 'node:events';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Target } from './workload.ts';

/** As many as several client-go programs on one machine would open. Requests are spread over them. */
const connectionCount = 4;

export async function openConnections({ url, authority, certificate, key }: Target): Promise<ClientHttp2Session[]> {
  const connections = Array.from({ length: connectionCount }, () =>
    connect(url, { ca: authority, cert: certificate, key, settings: { initialWindowSize: 4 * 1024 * 1024 } }),
  );
  await Promise.all(
    connections.map(async (connection) => {
      await once(connection, 'connect');
      connection.setLocalWindowSize(64 * 1024 * 1024);
    }),
  );
  return connections;
}

interface Reply {
  readonly status: number;
  readonly bytes: number;
  /** The beginning of the response, with the metadata; all of a small response. */
  readonly first: Buffer;
}

const nothing: Buffer = Buffer.alloc(0);

/** Enough for the metadata of every object of the generator. */
const keptBytes = 2048;

/** Sends one request. Keeps only the beginning of a long response. */
export function send(
  connection: ClientHttp2Session,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: Buffer,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const stream = startRequest(connection, method, path, body);
    let status = 0;
    let bytes = 0;
    let first = nothing;
    stream.on('response', (headers) => {
      status = headers[':status'] ?? 0;
    });
    stream.on('data', (chunk: Buffer) => {
      // Even a short response may arrive in two chunks.
      if (first.length < keptBytes) first = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
      bytes += chunk.length;
    });
    stream.on('end', () => resolve({ status, bytes, first }));
    stream.on('error', reject);
  });
}

export function startRequest(
  connection: ClientHttp2Session,
  method: string,
  path: string,
  body?: Buffer,
): ClientHttp2Stream {
  const headers = { ':method': method, ':path': path, accept: 'application/json' };
  if (!body) return connection.request(headers, { endStream: true });
  const stream = connection.request({ ...headers, 'content-type': 'application/json' });
  stream.end(body);
  return stream;
}

/** Sends, and throws unless the response has the expected status. */
export async function expectStatus(
  connection: ClientHttp2Session,
  status: number,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: Buffer,
): Promise<Reply> {
  const reply = await send(connection, method, path, body);
  if (reply.status === status) return reply;
  throw new Error(`${method} ${path}: ${reply.status} ${reply.first.toString('utf8', 0, 300)}`);
}
