import { apiErrors, type ApiRequest, type User } from '@flotilla/kube';
import type { TransportRequest } from '../transport.ts';

/** A request as the server sees it. Its signal tells the server that the caller stopped waiting. */
export class InProcessRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly headerLists: Readonly<Record<string, readonly string[]>> | undefined;
  readonly user: User;
  readonly isPrinted: boolean;
  readonly #body: Uint8Array;
  readonly #ends: readonly AbortSignal[];
  #disconnected: AbortController | undefined;
  #unlink: () => void = nothing;

  constructor(request: TransportRequest, user: User, closing: AbortSignal) {
    const { method, path, query, body, signal } = request;
    this.method = method;
    this.path = path;
    this.query = query;
    this.user = user;
    this.isPrinted = request.isPrinted === true;
    this.headers = carried(request);
    this.headerLists = listsIn(request);
    this.#body = body ?? empty;
    this.#ends = signal ? [closing, signal] : [closing];
  }

  body(limit: number): Promise<Uint8Array> {
    if (this.#body.length <= limit) return Promise.resolve(this.#body);
    return Promise.reject(apiErrors.requestEntityTooLarge(`limit is ${limit}`));
  }

  /** Created on demand: only watches and long waits use it. */
  get signal(): AbortSignal {
    return (this.#disconnected ??= this.#link()).signal;
  }

  get isGone(): boolean {
    return this.#ends.some(({ aborted }) => aborted);
  }

  get reason(): unknown {
    return this.#ends.find(({ aborted }) => aborted)?.reason;
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
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(this.reason);
      signal.addEventListener('abort', stop, { once: true });
      answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
      if (signal.aborted) stop();
    });
  }

  #link(): AbortController {
    const disconnected = new AbortController();
    const abort = (): void => disconnected.abort(this.reason);
    for (const end of this.#ends) end.addEventListener('abort', abort, { once: true });
    this.#unlink = () => this.#ends.forEach((end) => end.removeEventListener('abort', abort));
    if (this.isGone) abort();
    return disconnected;
  }
}

const empty = new Uint8Array();
const nothing = (): void => undefined;

/** Headers in the form in which HTTP would transfer them. */
function carried({ headers, body }: TransportRequest): Record<string, string> {
  const carried: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? '';
    carried[name] = typeof value === 'string' ? value : value.join(', ');
  }
  if (body) carried['content-length'] = String(body.length);
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
