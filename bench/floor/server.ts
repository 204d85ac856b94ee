/**
 * The floor: the cost of node:http2 and SQLite without any Kubernetes. A minimal server with TLS and client certificates. It
 * parses JSON, checks that parsing lost nothing, adds uid, revision and managed fields, stores durably with group
 * commit in a worker, and responds with the stored bytes. It validates nothing, and has no list and no watch.
 */
import { randomUUID } from 'node:crypto';
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { freshCredentials } from '@flotilla/apiserver';

interface Waiting {
  readonly path: string;
  readonly bytes: Buffer;
  readonly resolve: () => void;
}

const objects = new Map<string, Buffer>();
let revision = 0;
let collecting: Waiting[] = [];
let syncing: Waiting[] = [];
const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: process.argv[2] });
worker.on('message', () => {
  for (const { path, bytes, resolve } of syncing) {
    objects.set(path, bytes);
    resolve();
  }
  syncing = [];
  flush();
});

const { server: identity, admin } = await freshCredentials(['127.0.0.1'], new Date());
const server = createSecureServer({
  key: identity.key,
  cert: identity.certificate,
  ca: identity.clientAuthority,
  requestCert: true,
  rejectUnauthorized: true,
});
server.on('stream', (stream, headers) => void answer(stream as ServerHttp2Stream, headers));
server.listen(0, '127.0.0.1', () => {
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.send?.({ url, authority: identity.authority, certificate: admin.certificate, key: admin.key });
});

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', () => {
  process.send?.({ p99Ms: delay.percentile(99) / 1e6 });
  delay.reset();
});
process.on('disconnect', () => process.exit());

async function answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
  const path = headers[':path'] ?? '/';
  if (headers[':method'] === 'GET') {
    const found = objects.get(path);
    return found ? respond(stream, 200, found) : respond(stream, 404, Buffer.from('{}'));
  }
  const isCreate = headers[':method'] === 'POST';
  const object = parsed(await bodyOf(stream));
  const name = isCreate ? `${path}/${String(object.metadata['name'])}` : path;
  const bytes = Buffer.from(`${JSON.stringify(stamped(object))}\n`);
  await stored(name, bytes);
  respond(stream, isCreate ? 201 : 200, bytes);
}

function bodyOf(stream: ServerHttp2Stream): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => resolve(Buffer.concat(chunks)));
  });
}

interface Parsed {
  metadata: Record<string, unknown>;
}

function parsed(bytes: Buffer): Parsed {
  const text = bytes.toString();
  const object = JSON.parse(text) as Parsed;
  if (JSON.stringify(object) !== text) throw new Error('the text changed in parsing');
  return object;
}

function stamped(object: Parsed): Parsed {
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  const owner = { manager: 'bench', operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1: {} };
  object.metadata = {
    ...object.metadata,
    uid: randomUUID(),
    resourceVersion: String(++revision),
    creationTimestamp: time,
    managedFields: [owner],
  };
  return object;
}

function stored(path: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    collecting.push({ path, bytes, resolve });
    if (collecting.length === 1 && syncing.length === 0) setImmediate(flush);
  });
}

function flush(): void {
  if (collecting.length === 0 || syncing.length > 0) return;
  syncing = collecting;
  collecting = [];
  worker.postMessage(
    syncing.map(({ path, bytes }) => ({ path, bytes })),
    [],
  );
}

function respond(stream: ServerHttp2Stream, status: number, bytes: Buffer): void {
  stream.respond({ ':status': status, 'content-type': 'application/json', 'content-length': bytes.length });
  stream.end(bytes);
}
