/** Sends raw bytes to a server, also invalid ones. */
import { connect as connectHttp2, type ClientHttp2Session, type ClientSessionOptions } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { SecureClientSessionOptions } from 'node:http2';
import type { Access } from './flotilla-process.ts';

export interface WireAnswer {
  /** 0 without a response. */
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/** The message of the Status, or the text itself. */
export function messageOf({ text }: WireAnswer): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}

interface Identity {
  readonly cert?: string;
  readonly key?: string;
}

export function asAdministrator({ certificate, key }: Access): Identity {
  return { cert: certificate, key };
}

/** Opens a TLS connection for HTTP/1.1. */
export function openTls({ port, authority }: Access, identity: Identity = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const trust = { ca: authority, allowPartialTrustChain: true };
    const options = { host: '127.0.0.1', port, ...trust, ALPNProtocols: ['http/1.1'], ...identity };
    const socket = connectTls(options, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Opens a connection that can be reset. Node does not expect a reset beneath a TLS socket with a handle, so it gets a stream. */
export function openResettable(
  { port, authority }: Access,
  protocol: 'h2' | 'http/1.1',
  identity: Identity = {},
): { readonly tls: TLSSocket; readonly reset: () => void; readonly closed: Promise<void> } {
  const tcp = connectTcp(port, '127.0.0.1');
  const carrier = Duplex.from({ readable: tcp, writable: tcp } as unknown as NodeJS.ReadWriteStream);
  const trust = { ca: authority, allowPartialTrustChain: true, host: '127.0.0.1' };
  const tls = connectTls({ socket: carrier, ALPNProtocols: [protocol], ...trust, ...identity });
  for (const each of [tcp, carrier, tls]) each.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    const over = (): void => {
      tls.destroy();
      tcp.destroy();
      resolve();
    };
    tcp.once('close', over);
    tls.once('close', over);
  });
  return { tls, reset: () => void tcp.resetAndDestroy(), closed };
}

/** Writes bytes, and reads until the server closes the connection. */
export async function sendBytes(
  access: Access,
  bytes: string | Uint8Array,
  identity: Identity = asAdministrator(access),
): Promise<WireAnswer> {
  const socket = await openTls(access, identity);
  const answer = readToClose(socket);
  socket.write(bytes);
  return answer;
}

export function readToClose(socket: TLSSocket): Promise<WireAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A server that refuses may close the connection while we still send.
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(parseAnswer(Buffer.concat(chunks))));
  });
}

function parseAnswer(bytes: Buffer): WireAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, Math.max(end, 0)).toString('latin1');
  const rest = bytes.subarray(end + 4);
  const isChunked = /\r\ntransfer-encoding: chunked/i.test(head);
  const text = (isChunked ? unchunked(rest) : rest).toString('utf8');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, text };
}

function unchunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const newline = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.subarray(at, newline).toString('latin1'), 16);
    if (!(length > 0)) break;
    chunks.push(bytes.subarray(newline + 2, newline + 2 + length));
    at = newline + 2 + length + 2;
  }
  return Buffer.concat(chunks);
}

export interface WireRequest {
  readonly method?: string;
  readonly target: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** Sends a request on an HTTP/1.1 connection of its own. */
export function exchangeHttp1(access: Access, request: WireRequest, identity?: Identity): Promise<WireAnswer> {
  const { method = 'GET', target, type, headers = {}, body } = request;
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (type !== undefined) lines.push(`Content-Type: ${type}`);
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body ?? '')]);
  return sendBytes(access, bytes, identity);
}

export function openHttp2(
  access: Access,
  options: ClientSessionOptions & SecureClientSessionOptions = {},
): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${access.port}`, {
    ca: access.authority,
    maxSendHeaderBlockLength: 4 * 1024 * 1024,
    ...asAdministrator(access),
    ...options,
  });
  session.on('error', () => undefined);
  return session;
}

/** Sends a request on an HTTP/2 connection. */
export function exchangeHttp2(session: ClientHttp2Session, request: WireRequest): Promise<WireAnswer> {
  const { method = 'GET', target, type, headers = {}, body } = request;
  return new Promise((resolve) => {
    const stream = session.request(
      { ':method': method, ':path': target, ...(type !== undefined && { 'content-type': type }), ...headers },
      { endStream: body === undefined },
    );
    let status = 0;
    let head = '';
    const chunks: Buffer[] = [];
    stream.on('response', (answer) => {
      status = Number(answer[':status']);
      head = JSON.stringify(answer);
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.once('close', () => resolve({ status, head, text: Buffer.concat(chunks).toString('utf8') }));
    if (body !== undefined) stream.end(body);
  });
}
