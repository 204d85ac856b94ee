import { BytesBody, type ApiRequest, type RequestBody, type User } from '@flotilla/kube';
import type { TransportRequest } from '../transport.ts';
import { withinLimit } from '../within-limit.ts';
import type { Closing } from './closing.ts';

/** A request as the server sees it. Its signal tells the server that the caller stopped waiting. */
export class InProcessRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly headerLists: Readonly<Record<string, readonly string[]>> | undefined;
  readonly user: User;
  readonly receivedBody: RequestBody;
  readonly #closing: Closing;
  readonly #stop: AbortSignal | undefined;
  #disconnected: AbortController | undefined;
  #unlink: () => void = nothing;

  constructor(request: TransportRequest, user: User, closing: Closing) {
    const { method, path, query, body, signal } = request;
    this.method = method;
    this.path = path;
    this.query = query;
    this.user = user;
    this.headers = carried(request);
    this.headerLists = listsIn(request);
    this.receivedBody = body ?? empty;
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
    this.#unlink();
    this.#unlink = nothing;
  }

  /** Resolves with the answer, or rejects when the caller stops waiting. */
  orGone<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const forget = this.#onEnd(() => reject(this.reason));
      answer.then(
        (value) => {
          forget();
          resolve(value);
        },
        (error: unknown) => {
          forget();
          reject(error);
        },
      );
      if (this.isGone) reject(this.reason);
    });
  }

  #link(): AbortController {
    const disconnected = new AbortController();
    const abort = (): void => disconnected.abort(this.reason);
    this.#unlink = this.#onEnd(abort);
    if (this.isGone) abort();
    return disconnected;
  }

  /** Calls the listener when the caller stops waiting. Call the result to remove it. */
  #onEnd(listener: () => void): () => void {
    const closing = this.#closing;
    const stop = this.#stop;
    closing.add(listener);
    stop?.addEventListener('abort', listener, { once: true });
    return () => {
      closing.delete(listener);
      stop?.removeEventListener('abort', listener);
    };
  }
}

const empty = new BytesBody(new Uint8Array());
const nothing = (): void => undefined;

/** Headers in the form in which HTTP would transfer them. */
function carried({ headers }: TransportRequest): Record<string, string> {
  const carried: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    carried[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return carried;
}

/** Headers with several values, which `carried` joins. */
function listsIn({ headers }: TransportRequest): Record<string, readonly string[]> | undefined {
  let lists: Record<string, readonly string[]> | undefined;
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    if (typeof value !== 'string') (lists ??= {})[name] = value;
  }
  return lists;
}
