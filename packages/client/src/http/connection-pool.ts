import type { Socket } from 'node:net';
import { ConnectionError } from '../connection-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { Connection } from './connection.ts';
import type { Identity } from './credentials.ts';
import { Http2Connection } from './http2-connection.ts';
import { openSocket, type Target } from './open-socket.ts';

/** How many connections in a row may refuse a request before it fails. */
const maxRefusals = 5;

/**
 * The connections to one server, usually one. Opens another if that one is full, ended, or has another TLS identity.
 */
export class ConnectionPool {
  readonly #target: Target;
  #open: Connection[] = [];
  #opening: Promise<void> | undefined;
  /** The TLS identity of the open connections. */
  #identity: Identity = {};
  #isClosed = false;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Retries a refused request on the next connection. */
  async send(identity: Identity, request: TransportRequest): Promise<TransportResponse> {
    for (let refusals = 0; ; refusals++) {
      try {
        return await this.#sendOnce(identity, request);
      } catch (error) {
        const isRefused = error instanceof ConnectionError && error.reached === 'refused';
        if (!isRefused || refusals >= maxRefusals) throw error;
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open.splice(0)) connection.destroy();
  }

  async #sendOnce(identity: Identity, request: TransportRequest): Promise<TransportResponse> {
    for (;;) {
      request.signal?.throwIfAborted();
      if (this.#isClosed) throw new ConnectionError('the client is closed', 'unreachable');
      if (identity !== this.#identity) this.#switchIdentity(identity);
      const ready = this.#open.find((connection) => connection.hasRoom());
      if (ready !== undefined) return ready.send(request);
      await orAborted(this.#openOne(identity), request.signal);
    }
  }

  /** Concurrent callers share one new connection. */
  async #openOne(identity: Identity): Promise<void> {
    const opening = (this.#opening ??= this.#connect(identity));
    try {
      await opening;
    } finally {
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  async #connect(identity: Identity): Promise<void> {
    const connection = await this.#newConnection(identity);
    if (this.#isClosed) connection.destroy();
    else if (isSameInTls(identity, this.#identity)) this.#open.push(connection);
    else connection.retire();
  }

  async #newConnection(identity: Identity): Promise<Connection> {
    const { url, clock } = this.#target;
    const socket = await openSocket(this.#target, identity, ['h2', 'http/1.1']);
    if (isHttp2(socket)) return new Http2Connection(url, socket, { clock, onRetired: this.#drop });
    // Loaded lazily: few servers need it, and node:http takes ten megabytes.
    const { Http1Connection } = await import('./http1-connection.ts');
    return new Http1Connection(url, socket, () => openSocket(this.#target, identity, ['http/1.1']), clock);
  }

  /** Running requests may finish under the old certificate. New ones use the new one. */
  #switchIdentity(identity: Identity): void {
    const before = this.#identity;
    this.#identity = identity;
    if (isSameInTls(before, identity)) return;
    this.#opening = undefined;
    for (const connection of this.#open.splice(0)) connection.retire();
  }

  readonly #drop = (connection: Connection): void => {
    this.#open = this.#open.filter((other) => other !== connection);
  };
}

function isSameInTls(one: Identity, other: Identity): boolean {
  return one.authority === other.authority && one.certificate === other.certificate && one.key === other.key;
}

function isHttp2(socket: Socket): boolean {
  return 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
}

/** Does not cancel the work: other callers may wait for it. */
function orAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
