import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '@flotilla/timing';
import { ConnectionError } from '../connection-error.ts';
import type { TransportRequest, TransportResponse } from '../transport.ts';
import type { Connection } from './connection.ts';
import { exchange, type StreamEnd } from './http2-exchange.ts';
import { keepHealthy } from './http2-health.ts';

/** Go's window of a stream: a list arrives in few round trips, and a watch that nobody reads holds no more than this. */
const streamWindowBytes = 4 * 1024 * 1024;

/** A fast line across an ocean; Node gives back what it has taken at once, so that no stream waits for another's reader. */
const sessionWindowBytes = 32 * 1024 * 1024;

/** MiB. Each stream is held to its window already; Node's own 10 MiB would end a session with a few slow watches. */
const maxSessionMemory = 1024;
/** Kubernetes sends a header for each warning, up to 4,096 characters of them. Node's own limit resets answers with 128. */
const maxHeaderListPairs = 4200;

/** What a server is taken to allow before it has said so, as in Go. */
const assumedStreams = 100;

interface Http2Options {
  readonly clock: Clock;
  /** No further request may join. */
  readonly onRetired: (connection: Connection) => void;
}

/** An HTTP/2 session that all requests share. */
export class Http2Connection implements Connection {
  readonly #session: ClientHttp2Session;
  readonly #what: string;
  readonly #clock: Clock;
  readonly #health: ReturnType<typeof keepHealthy>;
  readonly #onRetired: Http2Options['onRetired'];
  #streams = 0;
  #maxStreams = assumedStreams;
  #isRetired = false;
  /** What the server will still answer, once it has said so. */
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
      // Told of a turn later, when somebody may have ended it already.
      if (!session.destroyed) session.setLocalWindowSize(sessionWindowBytes);
    });
    session.on('remoteSettings', ({ maxConcurrentStreams }) => {
      // One that allows none for now still takes what waits for it.
      this.#maxStreams = Math.max(1, maxConcurrentStreams ?? assumedStreams);
    });
    session.on('goaway', (_code, lastStreamId) => {
      this.#lastStreamId = lastStreamId;
      this.retire();
    });
    // Each stream tells its own request; nobody else waits for the session.
    session.on('error', () => this.#stop());
    session.once('close', () => this.#stop());
    const watched = { session, isIdle: () => this.#streams === 0, retire: () => this.retire() };
    this.#health = keepHealthy(watched, clock);
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

  readonly #end: StreamEnd = {
    heard: () => this.#health.heard(),
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

  /** A stream that the server did not begin with may be sent again elsewhere. */
  #failure(stream: ClientHttp2Stream | undefined, cause: unknown): ConnectionError {
    const id = stream?.id;
    const isUnsent = stream === undefined || id === undefined;
    const isBeyond = this.#lastStreamId !== undefined && id !== undefined && id > this.#lastStreamId;
    const isRefused = stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    const why = this.#health.failure ?? (cause instanceof Error ? cause.message : 'the connection was cut');
    const reached = isUnsent || isBeyond || isRefused ? 'refused' : 'cut';
    return new ConnectionError(`no answer from ${this.#what}: ${why}`, reached, { cause });
  }
}
