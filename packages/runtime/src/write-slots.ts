/** How many writes the controllers of a set send at once. A server refuses a user that has hundreds of requests in flight. */
const maxConcurrentWrites = 64;

/**
 * Slots for writes, given in the order they are asked for. All controllers of a set share them: many plans at once would otherwise
 * exceed the share of their user, and each refused write would wait a second for its next try.
 */
export class WriteSlots {
  readonly #waiting: (() => void)[] = [];
  #free = maxConcurrentWrites;

  /** Returns a promise only if no slot is free. */
  take(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Passes the slot on to the write that waits longest. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
