import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '@flotilla/timing';
import { ConnectionError } from '../connection-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { Connection } from './connection.ts';
import { exchange, type StreamObserver } from './http2-exchange.ts';
import { monitorSession } from './http2-health.ts';

/**
 * Go's window of a stream. A list arrives in few round trips, and a watch that is not read buffers at most this
 * much.
 */
const streamWindowBytes = 4 * 1024 * 1024;

/**
 * Enough for a fast intercontinental connection. Node returns the credit at once, so no stream waits for the reader
 * of another.
 */
const sessionWindowBytes = 32 * 1024 * 1024;

/** MiB. The window limits each stream already. Node's default of 10 MiB would end a session with a few slow watches. */
const maxSessionMemory = 1024;
/**
 * Kubernetes sends one header for each warning, up to 4,096 characters in all. Node's default resets responses with
 * 128.
 */
const maxHeaderListPairs = 4200;

/** Assumed until the server sends its settings, as in Go. */
const assumedStreams = 100;

interface Http2Options {
  readonly clock: Clock;
  /** The connection accepts no further request. */
  readonly onRetired: (connection: Connection) => void;
}

/** An HTTP/2 session that all requests share. */
export class Http2Connection implements Connection {
  readonly #session: ClientHttp2Session;
  readonly #what: string;
  readonly #clock: Clock;
  readonly #health: ReturnType<typeof monitorSession>;
  readonly #onRetired: Http2Options['onRetired'];
  #streams = 0;
  #maxStreams = assumedStreams;
  #isRetired = false;
  /** The last stream that the server will answer, from GOAWAY. */
  #lastStreamId: number | undefined;

  constructor(url: URL, socket: Socket, { clock, onRetired }: Http2Options) {
    this.#what = url.host;
    this.#onRetired = onRetired;
    this.#clock = clock;
    const session = connect(url.origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      maxSessionMemory,
      maxHeaderListPairs,
    });
    this.#session = session;
    session.once('connect', () => {
      // The event arrives a turn later; the session may be destroyed by then.
      if (!session.destroyed) session.setLocalWindowSize(sessionWindowBytes);
    });
    session.on('remoteSettings', ({ maxConcurrentStreams }) => {
      // A server that allows none at the moment still accepts a queued stream.
      this.#maxStreams = Math.max(1, maxConcurrentStreams ?? assumedStreams);
    });
    session.on('goaway', (_code, lastStreamId) => {
      this.#lastStreamId = lastStreamId;
      this.retire();
    });
    // Each stream reports its own error.
    session.on('error', () => this.#stop());
    session.once('close', () => this.#stop());
    const watched = { session, isIdle: () => this.#streams === 0, retire: () => this.retire() };
    this.#health = monitorSession(watched, clock);
    session.unref();
  }

  hasRoom(): boolean {
    return !this.#isRetired && !this.#session.closed && this.#streams < this.#maxStreams;
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#streams++ === 0) this.#session.ref();
    return exchange(this.#openStream, request, this.#end, this.#clock);
  }

  retire(): void {
    this.#stop();
    if (!this.#session.closed) this.#session.close();
  }

  destroy(): void {
    this.#stop();
    this.#session.destroy();
  }

  readonly #openStream = (request: TransportRequest): ClientHttp2Stream => {
    const { method, path, query, headers, body } = request;
    return this.#session.request(
      { ...headers, ':method': method, ':path': query === '' ? path : `${path}?${query}` },
      { endStream: body === undefined },
    );
  };

  readonly #end: StreamObserver = {
    onData: () => this.#health.onData(),
    closed: () => {
      if (--this.#streams === 0 && !this.#session.destroyed) this.#session.unref();
    },
    failure: (stream, cause) => this.#failure(stream, cause),
  };

  #stop(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#onRetired(this);
  }

  /** A stream that the server did not start on may be retried on another connection. */
  #failure(stream: ClientHttp2Stream | undefined, cause: unknown): ConnectionError {
    const id = stream?.id;
    const isUnsent = stream === undefined || id === undefined;
    const isBeyond = this.#lastStreamId !== undefined && id !== undefined && id > this.#lastStreamId;
    const isRefused = stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    const why = this.#health.failure ?? (cause instanceof Error ? cause.message : 'the connection was cut');
    const reached = isUnsent || isBeyond || isRefused ? 'refused' : 'cut';
    return new ConnectionError(`no response from ${this.#what}: ${why}`, reached, { cause });
  }
}
