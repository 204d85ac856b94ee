import { ApiError, type ApiStatus, type JsonObject, type KubeObject } from '@flotilla/kube';
import { ResponseTooLarge } from './response-limits.ts';
import { asStatus } from './response-error.ts';
import type { EventStream, WatchEvent } from './client.ts';
import { ConnectionError } from './connection-error.ts';
import { isKubeObject, readJsonObject } from './read-body.ts';
import type { ReadOptions } from './read-list.ts';

/** The events of the watch that `open` begins. Its reader gets an ERROR event (410: the revision is too old) as an exception. */
export class WatchEvents<T extends KubeObject> implements EventStream<T> {
  readonly #open: () => Promise<AsyncIterable<Uint8Array>>;
  readonly #signal: AbortSignal;
  readonly #turns: ReadOptions['turns'];
  readonly #splitter: LineSplitter;
  #body: AsyncIterator<Uint8Array> | undefined;
  /** Lines of the last piece, while some are unread. The first `#read` of them were read. */
  #lines: readonly Uint8Array[] = [];
  #read = 0;
  #bytesOfLast = 0;

  constructor(
    open: () => Promise<AsyncIterable<Uint8Array>>,
    signal: AbortSignal,
    { limits, turns }: Pick<ReadOptions, 'limits' | 'turns'>,
  ) {
    this.#open = open;
    this.#signal = signal;
    this.#turns = turns;
    this.#splitter = new LineSplitter(limits.object);
  }

  /**
   * While it waits, nothing keeps the event before. A promise that has waited for long is old, and the garbage collector moves all that
   * it resolves with to the old generation: whole objects, for the watches of a thousand agents.
   */
  async each(handle: (event: WatchEvent<T>) => void): Promise<void> {
    try {
      while (await this.#hasNext()) this.#handleNext(handle);
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    } finally {
      await this.#body?.return?.();
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>, void> {
    try {
      while (await this.#hasNext()) yield this.#next();
    } catch (error) {
      if (!this.#signal.aborted) throw error;
    } finally {
      await this.#body?.return?.();
    }
  }

  async #hasNext(): Promise<boolean> {
    // The socket may have brought megabytes at once.
    if (this.#bytesOfLast > 0 && this.#turns.isOverAfter(this.#bytesOfLast)) await this.#turns.next();
    this.#bytesOfLast = 0;
    while (this.#lines.length === 0) {
      this.#body ??= (await this.#open())[Symbol.asyncIterator]();
      const result = await this.#body.next();
      if (result.done === true) {
        this.#splitter.end();
        return false;
      }
      this.#lines = this.#splitter.split(result.value);
      // The promises that have waited for the piece keep the result.
      result.value = nothing;
    }
    return !this.#signal.aborted;
  }

  /** Not in the function that waits, whose variables are kept meanwhile. */
  #handleNext(handle: (event: WatchEvent<T>) => void): void {
    handle(this.#next());
  }

  #next(): WatchEvent<T> {
    const line = this.#lines[this.#read++];
    if (line === undefined) throw new RangeError('all lines were read');
    this.#bytesOfLast = line.length;
    if (this.#read === this.#lines.length) {
      this.#lines = [];
      this.#read = 0;
    }
    return eventIn<T>(readJsonObject(line));
  }
}

const nothing = new Uint8Array();

function eventIn<T extends KubeObject>({ type, object }: JsonObject): WatchEvent<T> {
  if (type === 'ERROR') throw new ApiError(asStatus(object, unknownFailure.code) ?? unknownFailure);
  if (!isEventType(type) || !isKubeObject(object)) {
    throw new ConnectionError('the watch sent an invalid event', 'cut');
  }
  return { type, object: object as T };
}

function isEventType(type: unknown): type is WatchEvent<KubeObject>['type'] {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK';
}

const unknownFailure: ApiStatus = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the server ended the watch and did not say why',
  code: 500,
};

const newline = 0x0a;

/** Splits a body into lines. A generator for each line would cost several promises more. */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #begun: Uint8Array[] = [];
  #begunBytes = 0;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** The lines that end in this piece, without empty ones. */
  split(piece: Uint8Array): readonly Uint8Array[] {
    const lines: Uint8Array[] = [];
    for (let from = 0; ;) {
      const end = piece.indexOf(newline, from);
      const rest = piece.subarray(from, end < 0 ? piece.length : end);
      if (this.#begunBytes + rest.length > this.#maxLineBytes)
        throw new ResponseTooLarge('an event of the watch', this.#maxLineBytes);
      if (end < 0) {
        this.#begin(rest);
        return lines;
      }
      from = end + 1;
      const line = this.#ended(rest);
      if (line.length > 0) lines.push(line);
    }
  }

  /** Throws if the body has ended in the middle of a line. */
  end(): void {
    if (this.#begun.length > 0) throw new ConnectionError('the watch was cut in the middle of an event', 'cut');
  }

  #begin(rest: Uint8Array): void {
    if (rest.length === 0) return;
    this.#begun.push(rest);
    this.#begunBytes += rest.length;
  }

  #ended(rest: Uint8Array): Uint8Array {
    if (this.#begun.length === 0) return rest;
    const line = Buffer.concat([...this.#begun, rest]);
    this.#begun = [];
    this.#begunBytes = 0;
    return line;
  }
}
