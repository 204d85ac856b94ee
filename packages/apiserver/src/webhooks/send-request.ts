/** Requests over one connection, with HTTP/1.1 or HTTP/2. */
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { request, type Agent } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { WebhookAddress, WebhookAnswer, WebhookCall } from './webhook-call.ts';

/** That of Go's client. */
export const idleMs = 90_000;

/** Where a call connects to, and how it verifies the server. */
export interface Target {
  readonly address: WebhookAddress;
  /** The host that the certificate must name. */
  readonly host: string;
  readonly authority: string | undefined;
}

export type Session = ClientHttp2Session | 'http/1.1';

export interface Request extends WebhookCall {
  readonly method: 'POST' | 'GET';
}

export interface Answer extends WebhookAnswer {
  readonly location: string;
}

function connectionOptions({ address, host, authority }: Target): object {
  return {
    host: address.host,
    port: address.port,
    ...(isIP(host) === 0 && { servername: host }),
    ...(authority !== undefined && { ca: authority }),
  };
}

const requestHeaders = { 'content-type': 'application/json', accept: 'application/json, */*' };

interface Sent {
  readonly answer: Promise<Answer>;
  readonly usedOpenConnection: () => boolean;
}

export function sendHttp1(call: Request, target: Target, agent: Agent, signal: AbortSignal): Sent {
  const { url, body, method } = call;
  const outgoing = request({
    ...connectionOptions(target),
    path: `${url.pathname}${url.search}`,
    method,
    headers: { host: url.host, ...requestHeaders, 'content-length': body.length },
    agent,
    signal,
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      bytesOf(incoming, call.maxAnswerBytes).then(
        (bytes) => resolve({ ...headOf(incoming.statusCode, incoming.headers), body: bytes }),
        reject,
      );
    });
  });
  outgoing.end(body);
  return { answer, usedOpenConnection: () => outgoing.reusedSocket };
}

export async function sendHttp2(call: Request, session: ClientHttp2Session, signal: AbortSignal): Promise<Answer> {
  const { url, body, method } = call;
  const head = { ':method': method, ':path': `${url.pathname}${url.search}`, ':authority': url.host };
  const endStream = body.length === 0;
  const stream = session.request({ ...head, ...requestHeaders, 'content-length': body.length }, { signal, endStream });
  let answer: Omit<Answer, 'body'> | undefined;
  stream.on('response', (headers) => {
    answer = headOf(headers[':status'], headers);
  });
  if (!endStream) stream.end(body);
  const bytes = await bytesOf(stream, call.maxAnswerBytes);
  if (!answer) throw Object.assign(new Error('no response'), { code: 'ECONNRESET' });
  return { ...answer, body: bytes };
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

function headOf(status: number | undefined, headers: object): Omit<Answer, 'body'> {
  const { 'content-type': contentType, location } = headers as Headers;
  return { status: status ?? 0, contentType: textOf(contentType), location: textOf(location) };
}

function textOf(value: Headers[string]): string {
  return typeof value === 'string' ? value : '';
}

/** Reads a stream to its end. Destroys one that is longer than `max`. */
function bytesOf(stream: Readable, max: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) chunks.push(chunk);
      else stream.destroy(new Error(`the answer is larger than ${max} bytes`));
    });
    stream.on('error', reject);
    stream.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    stream.on('close', () => reject(new Error('unexpected EOF')));
  });
}

export function openSession(target: Target, onClose: () => void): Promise<Session> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...connectionOptions(target), ALPNProtocols: ['h2', 'http/1.1'] }, () => {
      if (socket.alpnProtocol !== 'h2') {
        resolve('http/1.1');
        socket.destroy();
        return;
      }
      const session = connectHttp2('https://localhost', { createConnection: () => socket });
      session.setTimeout(idleMs, () => session.close());
      for (const event of ['goaway', 'close', 'error']) session.on(event, onClose);
      session.unref();
      resolve(session);
    });
    socket.setTimeout(idleMs);
    socket.on('error', (error) => {
      onClose();
      reject(error);
    });
  });
}
