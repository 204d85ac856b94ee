import { once } from 'node:events';
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Target } from './workload.ts';

/** As many as client-go programs on one machine would have; requests are spread over them. */
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
  /** Where the answer's metadata is; all of a small answer. */
  readonly first: Buffer;
}

const nothing: Buffer = Buffer.alloc(0);

/** Enough to hold the metadata of any object that is loaded here. */
const keptBytes = 2048;

/** One request. Of long answers only the beginning is kept. */
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
      // A short answer may still come in two pieces, wherever the one before it ended.
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

/** Sends and insists on a status. */
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
