/** Passes a body from a writer that pushes chunks to a reader that pulls them. `push` tells the writer when to wait. */
export class BodyQueue implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined> {
  readonly #pieces: Uint8Array[] = [];
  readonly #flow: BodyFlow;
  #bytes = 0;
  #isFull = false;
  #outcome: 'open' | 'ended' | { readonly error: unknown } = 'open';
  #waiting: PromiseWithResolvers<Result> | undefined;

  constructor(flow: BodyFlow) {
    this.#flow = flow;
  }

  /** Returns false if the writer should wait until `drained` is called. */
  push(piece: Uint8Array): boolean {
    if (this.#outcome !== 'open') return false;
    if (this.#waiting !== undefined) {
      this.#answer({ value: piece, done: false });
      return true;
    }
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#isFull = this.#bytes >= highWaterBytes;
    return !this.#isFull;
  }

  end(): void {
    if (this.#outcome !== 'open') return;
    this.#outcome = 'ended';
    this.#answer(over);
  }

  /** The reader gets the queued chunks before the error. */
  fail(error: unknown): void {
    if (this.#outcome !== 'open') return;
    this.#outcome = { error };
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }

  next(): Promise<Result> {
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#bytes -= piece.length;
      if (this.#isFull && this.#bytes <= lowWaterBytes) {
        this.#isFull = false;
        this.#flow.drained();
      }
      return Promise.resolve({ value: piece, done: false });
    }
    if (this.#outcome === 'ended') return Promise.resolve(over);
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- a signal's reason may be anything
    if (this.#outcome !== 'open') return Promise.reject(this.#outcome.error);
    this.#waiting = Promise.withResolvers();
    return this.#waiting.promise;
  }

  return(): Promise<Result> {
    if (this.#outcome === 'open') this.#flow.cancelled();
    this.end();
    this.#pieces.length = 0;
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #answer(result: Result): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(result);
  }
}

type Result = IteratorResult<Uint8Array, undefined>;

interface BodyFlow {
  readonly drained: () => void;
  /** The reader stopped reading. */
  readonly cancelled: () => void;
}

const highWaterBytes = 1024 * 1024;
const lowWaterBytes = 256 * 1024;

const over: IteratorReturnResult<undefined> = { value: undefined, done: true };

/** A body whose chunks are all available. */
export class WholeBody implements AsyncIterable<Uint8Array> {
  readonly pieces: readonly Uint8Array[];

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, undefined> {
    yield* this.pieces;
  }
}
