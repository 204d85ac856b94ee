import { Agent, request as startRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '@flotilla/timing';
import { BodyQueue } from '../body-queue.ts';
import { ConnectionError, messageOf } from '../connection-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import { noResponse, responseMs, type Connection } from './connection.ts';

/** Idle sockets to keep. Each watch holds a socket, so a burst may open many more. */
const maxFreeSockets = 16;

/** For servers and proxies without HTTP/2: one request at a time on a socket, sockets on demand. */
export class Http1Connection implements Connection {
  readonly #url: URL;
  readonly #agent: SocketAgent;
  readonly #clock: Clock;

  constructor(url: URL, first: Socket, open: () => Promise<Socket>, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
    this.#agent = new SocketAgent(first, open);
  }

  hasRoom(): boolean {
    return true;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    const { method, path, query, headers, signal } = request;
    const body = request.body?.bytes;
    const call = startRequest({
      agent: this.#agent,
      host: this.#url.hostname,
      method,
      path: query === '' ? path : `${path}?${query}`,
      headers: {
        host: this.#url.host,
        ...headers,
        ...(body && { 'content-length': String(body.length) }),
      } as Record<string, string>,
    });
    const answer = answerTo(call, this.#url.host, signal, this.#clock);
    call.end(body);
    return answer;
  }

  retire(): void {
    this.#agent.retire();
  }

  destroy(): void {
    this.#agent.destroy();
  }
}

/** Opens sockets through the proxy and with TLS. The first socket was waitUntilOpen for protocol negotiation. */
class SocketAgent extends Agent {
  readonly #open: () => Promise<Socket>;
  #first: Socket | undefined;

  constructor(first: Socket, open: () => Promise<Socket>) {
    super({ keepAlive: true, maxFreeSockets });
    this.#first = first;
    // An idle socket must not keep the process alive.
    first.unref();
    this.#open = open;
  }

  override createConnection(_options: unknown, done?: (error: Error | null, socket: Duplex) => void): undefined {
    const first = this.#first;
    this.#first = undefined;
    const socket = first === undefined || first.destroyed ? this.#open() : Promise.resolve(first.ref());
    socket.then(
      (ready) => done?.(null, ready),
      (error: unknown) => done?.(error as Error, undefined as never),
    );
  }

  override destroy(): void {
    this.#first?.destroy();
    super.destroy();
  }

  /** Sockets in use close with their requests. */
  retire(): void {
    Object.assign(this, { keepAlive: false });
    for (const sockets of Object.values(this.freeSockets)) sockets?.forEach((socket) => socket.destroy());
  }
}

function answerTo(
  call: ClientRequest,
  what: string,
  signal: AbortSignal | undefined,
  clock: Clock,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal?.reason);
      call.destroy();
    };
    let isAnswered = false;
    const cancelDeadline = clock.after(responseMs, () => call.destroy(new Error(noResponse)));
    call.on('response', (answer) => {
      isAnswered = true;
      cancelDeadline();
      resolve(responseOf(answer, what, signal));
    });
    call.on('error', (error) => reject(failure(what, error)));
    call.on('close', () => {
      cancelDeadline();
      signal?.removeEventListener('abort', abort);
      if (!isAnswered) reject(failure(what, undefined));
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

function responseOf(answer: IncomingMessage, what: string, signal: AbortSignal | undefined): TransportResponse {
  const queue = new BodyQueue({ drained: () => answer.resume(), cancelled: () => answer.destroy() });
  let isComplete = false;
  answer.on('data', (chunk: Uint8Array) => {
    if (!queue.push(chunk)) answer.pause();
  });
  answer.on('end', () => {
    isComplete = answer.complete;
    if (isComplete) queue.end();
  });
  let cause: unknown;
  answer.on('error', (error) => {
    cause = error;
  });
  answer.on('close', () => {
    if (!isComplete) queue.fail(signal?.aborted ? signal.reason : failure(what, cause));
  });
  return { status: answer.statusCode ?? 0, headers: answer.headers as Record<string, string>, body: queue };
}

function failure(what: string, cause: unknown): ConnectionError {
  if (cause instanceof ConnectionError) return cause;
  const why = cause === undefined ? 'the connection was cut' : messageOf(cause);
  return new ConnectionError(`no response from ${what}: ${why}`, 'cut', { cause });
}
