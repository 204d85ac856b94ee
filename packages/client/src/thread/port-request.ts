import {
  ApiError,
  BytesBody,
  type ApiRequest,
  type ApiStatus,
  type BodyMeter,
  type RequestBody,
  type User,
} from '@flotilla/kube';
import { withinLimit } from '../within-limit.ts';
import type { SentRequest } from './messages.ts';

/** Bytes that a stream may be ahead of its reader. */
const maxAheadBytes = 1024 * 1024;

const stoppedWaiting = new Error('the caller stopped waiting');

/** A request from another thread as the server sees it, and the state of its answer. */
export class PortRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: ApiRequest['headers'];
  readonly headerLists: ApiRequest['headerLists'];
  readonly user: User | undefined;
  readonly receivedBody: RequestBody | undefined;
  readonly wantsIdentity: boolean;
  readonly remoteAddress: string | undefined;
  readonly auditId: string | undefined;
  readonly #ask: (limit: number) => void;
  #asked: PromiseWithResolvers<Uint8Array> | undefined;
  #stop: AbortController | undefined;
  #isGone = false;
  #aheadBytes = 0;
  #isPaused = false;
  readonly #drain: (() => void)[] = [];
  readonly #close: (() => void)[] = [];

  /** `ask` asks the caller for the body. */
  constructor(sent: SentRequest, ask: (limit: number) => void) {
    this.method = sent.method;
    this.path = sent.path;
    this.query = sent.query;
    this.headers = sent.headers;
    this.headerLists = sent.headerLists;
    this.user = sent.user;
    this.receivedBody = sent.body && new BytesBody(sent.body, sent.isPrinted);
    this.wantsIdentity = sent.wantsIdentity;
    this.remoteAddress = sent.remoteAddress;
    this.auditId = sent.auditId;
    this.#ask = ask;
  }

  async body(limit: number, meter?: BodyMeter): Promise<Uint8Array> {
    if (this.receivedBody !== undefined) return withinLimit(this.receivedBody.bytes, limit);
    this.#asked = Promise.withResolvers();
    this.#ask(limit);
    const bytes = await this.#asked.promise;
    meter?.received(bytes.length);
    return bytes;
  }

  bodyCame(body: Uint8Array | ApiStatus): void {
    if (body instanceof Uint8Array) this.#asked?.resolve(body);
    else this.#asked?.reject(new ApiError(body));
  }

  /** Created on demand: only watches and long waits use it. */
  get signal(): AbortSignal {
    this.#stop ??= new AbortController();
    if (this.#isGone) this.#stop.abort(stoppedWaiting);
    return this.#stop.signal;
  }

  /** Returns false if the stream should wait for its reader. */
  wrote(bytes: number): boolean {
    this.#aheadBytes += bytes;
    this.#isPaused = this.#aheadBytes > maxAheadBytes;
    return !this.#isPaused;
  }

  taken(bytes: number): void {
    this.#aheadBytes -= bytes;
    if (!this.#isPaused || this.#aheadBytes > maxAheadBytes / 2) return;
    this.#isPaused = false;
    for (const listener of this.#drain) listener();
  }

  onDrain(listener: () => void): void {
    this.#drain.push(listener);
  }

  onClose(listener: () => void): void {
    this.#close.push(listener);
  }

  /** The answer is complete. */
  end(): void {
    for (const listener of this.#close.splice(0)) listener();
  }

  /** The caller stopped waiting. */
  cancel(): void {
    this.#isGone = true;
    this.#asked?.reject(stoppedWaiting);
    this.#stop?.abort(stoppedWaiting);
    this.end();
  }
}
