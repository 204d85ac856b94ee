import { readdirSync, readFileSync } from 'node:fs';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Logger } from '@flotilla/kube';
import { Http2Connection } from './http2-connection.ts';
import { connectionTickMs } from '../limits/limits.ts';

/**
 * All connections of a listener. Ends those that are idle or broken. Above the limit new ones are dropped, which is logged
 * once until connections are accepted again.
 */
export class Connections {
  readonly #log: Logger;
  /** Includes sockets in their TLS handshake, which have no session yet. */
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Map<ServerHttp2Session, Http2Connection>();
  #timer: NodeJS.Timeout | undefined;
  #dropped = 0;
  #droppedBefore = 0;

  constructor(server: Http2SecureServer, log: Logger) {
    this.#log = log;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      this.#startTicking();
    });
    server.on('drop', () => this.#drop(server.maxConnections));
  }

  get sockets(): ReadonlySet<Socket> {
    return this.#sockets;
  }

  get sessions(): Iterable<ServerHttp2Session> {
    return this.#sessions.keys();
  }

  /** `socket` is that of the session, which does not expose it for `destroy`. */
  open(session: ServerHttp2Session, socket: Socket): Http2Connection {
    const connection = new Http2Connection(session, () => socket.destroy());
    this.#sessions.set(session, connection);
    session.once('remoteSettings', () => connection.begin());
    socket.once('close', () => this.#sessions.delete(session));
    return connection;
  }

  #startTicking(): void {
    this.#timer ??= setInterval(() => this.#tick(), connectionTickMs).unref();
  }

  #tick(): void {
    for (const connection of this.#sessions.values()) connection.tick();
    if (this.#dropped > 0 && this.#dropped === this.#droppedBefore) {
      this.#log.info('connections are accepted again', { dropped: this.#dropped });
      this.#dropped = 0;
    }
    this.#droppedBefore = this.#dropped;
    if (this.#sockets.size > 0 || this.#dropped > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #drop(limit: number): void {
    if (this.#dropped++ > 0) return;
    this.#log.error('too many connections, new ones are dropped', { limit });
    this.#startTicking();
  }
}

/** Descriptors for files, threads and outgoing connections. */
const reservedDescriptors = 64;
/** The share of all descriptors that is reserved if it is larger. */
const reservedShare = 1 / 8;
const minConnections = 8;

/**
 * The connections that a process with `openFiles` descriptors may accept. Without this limit clients could take the last one:
 * the system would then silently close new connections, and the store could not open its files.
 */
export function connectionLimit(openFiles: number, inUse: number): number {
  return Math.max(
    minConnections,
    Math.floor(openFiles - inUse - Math.max(reservedDescriptors, openFiles * reservedShare)),
  );
}

/** Returns undefined if the system has no limit, or does not report it. */
export function ownConnectionLimit(): number | undefined {
  try {
    const [, openFiles] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return openFiles === undefined
      ? undefined
      : connectionLimit(Number(openFiles), readdirSync('/proc/self/fd').length);
  } catch {
    return undefined;
  }
}
