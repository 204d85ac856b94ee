import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { Agent, request } from 'node:https';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { errorMessage, quote } from '@flotilla/kube';
import { goClientError } from './go-client-error.ts';
import type { WebhookAddress, WebhookAnswer, WebhookCall } from './webhook-call.ts';

/** Those of Go's client. */
const idleMs = 90_000;
const maxIdleConnections = 25;

/** Where a call connects to, and how it verifies the server. */
interface Target {
  readonly address: WebhookAddress;
  /** The host that the certificate must name. */
  readonly host: string;
  readonly authority: string | undefined;
}

type Session = ClientHttp2Session | 'http/1.1';

/**
 * Calls webhooks over connections that stay open between calls. Like kube-apiserver it uses HTTP/2 only with servers on this
 * machine: one HTTP/2 connection would send all calls to one of the endpoints of a Service.
 */
export class WebhookClient {
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: maxIdleConnections, timeout: idleMs });
  /** Connections by target. 'http/1.1' if the server does not know HTTP/2. */
  readonly #sessions = new Map<string, Promise<Session>>();

  readonly call = async (call: WebhookCall): Promise<WebhookAnswer> => {
    const host = call.url.hostname.replace(/^\[|\]$/g, '');
    const deadline = new Deadline(call.timeoutMs, call.signal);
    let address: WebhookAddress = { host, port: Number(call.url.port || 443) };
    try {
      address = call.address?.() ?? address;
      return await deadline.race(this.#send(call, { address, host, authority: call.authority }, deadline.signal));
    } catch (error) {
      throw new Error(`Post ${quote(call.shownUrl)}: ${whyOf(error, host, address)}`, { cause: error });
    } finally {
      deadline.end();
    }
  };

  /** Ends all connections. */
  close(): void {
    this.#agent.destroy();
    for (const connecting of this.#sessions.values()) void connecting.then(destroy, () => undefined);
    this.#sessions.clear();
  }

  async #send(call: WebhookCall, target: Target, signal: AbortSignal): Promise<WebhookAnswer> {
    const session = isLoopback(target.host) ? await this.#session(target) : 'http/1.1';
    if (session !== 'http/1.1') return sendHttp2(call, session, signal);
    const first = sendHttp1(call, target, this.#agent, signal);
    try {
      return await first.answer;
    } catch (error) {
      // A server may close an idle connection at any time, so this says nothing about the server.
      if (!first.usedOpenConnection() || !isClosed(error)) throw error;
      return sendHttp1(call, target, this.#agent, signal).answer;
    }
  }

  /** Calls at the same time share the connection. */
  #session(target: Target): Promise<Session> {
    const { address, host, authority = '' } = target;
    const key = `${address.host} ${address.port} ${host} ${authority}`;
    const known = this.#sessions.get(key);
    if (known) return known;
    const connecting = openSession(target, () => {
      if (this.#sessions.get(key) === connecting) this.#sessions.delete(key);
    });
    this.#sessions.set(key, connecting);
    return connecting;
  }
}

/** Ends a call after its timeout, or with the request that needs it. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #cancel = (): void => this.#controller.abort(new Error('context canceled'));

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timer = setTimeout(() => this.#controller.abort(new Error('context deadline exceeded')), timeoutMs);
    this.#caller = caller;
    if (caller?.aborted) this.#cancel();
    else caller?.addEventListener('abort', this.#cancel, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Rejects with the reason of the end, whatever the connection makes of it. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(this.signal.reason as Error);
      if (this.signal.aborted) end();
      else this.signal.addEventListener('abort', end, { once: true });
      work.then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#cancel);
  }
}

function whyOf(error: unknown, host: string, address: WebhookAddress): string {
  const known = error as NodeJS.ErrnoException;
  return known.code === undefined ? errorMessage(error) : goClientError(known, host, address);
}

function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function isClosed(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function destroy(session: Session): void {
  if (session !== 'http/1.1') session.destroy();
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
  readonly answer: Promise<WebhookAnswer>;
  readonly usedOpenConnection: () => boolean;
}

function sendHttp1(call: WebhookCall, target: Target, agent: Agent, signal: AbortSignal): Sent {
  const { url, body } = call;
  const outgoing = request({
    ...connectionOptions(target),
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers: { host: url.host, ...requestHeaders, 'content-length': body.length },
    agent,
    signal,
  });
  const answer = new Promise<WebhookAnswer>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      bytesOf(incoming, call.maxAnswerBytes).then(
        (bytes) =>
          resolve({
            status: incoming.statusCode ?? 0,
            contentType: incoming.headers['content-type'] ?? '',
            body: bytes,
          }),
        reject,
      );
    });
  });
  outgoing.end(body);
  return { answer, usedOpenConnection: () => outgoing.reusedSocket };
}

async function sendHttp2(call: WebhookCall, session: ClientHttp2Session, signal: AbortSignal): Promise<WebhookAnswer> {
  const { url, body } = call;
  const head = { ':method': 'POST', ':path': `${url.pathname}${url.search}`, ':authority': url.host };
  const stream = session.request({ ...head, ...requestHeaders, 'content-length': body.length }, { signal });
  let answer = { status: 0, contentType: '' };
  stream.on('response', (headers) => {
    answer = { status: headers[':status'] ?? 0, contentType: headers['content-type'] ?? '' };
  });
  stream.end(body);
  const bytes = await bytesOf(stream, call.maxAnswerBytes);
  return { ...answer, body: bytes };
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

function openSession(target: Target, onClose: () => void): Promise<Session> {
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
