import { BytesBody, type ApiRequest, type RequestBody, type User } from '@flotilla/kube';
import type { TransportRequest } from '../transport.ts';
import { withinLimit } from '../within-limit.ts';
import type { Closing, ClosingListener } from './closing.ts';
import { headerListsIn, joinedHeaders } from './joined-headers.ts';

/** A request as the server sees it. Its signal tells the server that the caller stopped waiting. */
export class InProcessRequest implements ApiRequest, ClosingListener {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly headerLists: Readonly<Record<string, readonly string[]>> | undefined;
  readonly user: User;
  readonly receivedBody: RequestBody;
  readonly wantsIdentity: boolean;
  readonly #closing: Closing;
  readonly #stop: AbortSignal | undefined;
  position = -1;
  #disconnected: AbortController | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(request: TransportRequest, user: User, closing: Closing) {
    const { method, path, query, body, signal } = request;
    this.method = method;
    this.path = path;
    this.query = query;
    this.user = user;
    this.headers = joinedHeaders(request.headers);
    this.headerLists = headerListsIn(request.headers);
    this.receivedBody = body ?? empty;
    this.wantsIdentity = request.wantsIdentity === true;
    this.#closing = closing;
    this.#stop = signal;
  }

  async body(limit: number): Promise<Uint8Array> {
    return withinLimit(this.receivedBody.bytes, limit);
  }

  /** Created on demand: only watches and long waits use it. */
  get signal(): AbortSignal {
    return (this.#disconnected ??= this.#link()).signal;
  }

  get isGone(): boolean {
    return this.#closing.isClosed || this.#stop?.aborted === true;
  }

  get reason(): unknown {
    return this.#closing.isClosed ? this.#closing.reason : this.#stop?.reason;
  }

  /** The reader stopped early. */
  cancel(): void {
    this.release();
    this.#disconnected?.abort();
  }

  /** The response is complete. Removes all listeners: a caller's signal may outlive a million requests. */
  release(): void {
    this.#closing.delete(this);
    this.#stop?.removeEventListener('abort', this);
  }

  /** Resolves with the answer, or rejects when the caller stops waiting. Call `release` afterwards. */
  orGone<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#listen();
      answer.then(resolve, reject);
      if (this.isGone) reject(this.reason);
    });
  }

  /** The caller stopped waiting. */
  end(): void {
    this.#disconnected?.abort(this.reason);
    this.#reject?.(this.reason);
  }

  /** The caller's signal is aborted. */
  handleEvent(): void {
    this.end();
  }

  #link(): AbortController {
    const disconnected = new AbortController();
    this.#listen();
    if (this.isGone) disconnected.abort(this.reason);
    return disconnected;
  }

  #listen(): void {
    this.#closing.add(this);
    this.#stop?.addEventListener('abort', this, { once: true });
  }
}

const empty = new BytesBody(new Uint8Array());
