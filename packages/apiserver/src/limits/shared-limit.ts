/** What one user holds of the limits of a server; for anonymous users, one connection. */
export interface Holder {
  /** Requests in flight. */
  reading: number;
  changing: number;
  /** Bytes of bodies that arrive or belong to requests in flight. */
  bodyBytes: number;
}

/**
 * A limit that no single holder can use up: each may hold as much as is still free. The first gets at most half, the next half
 * of the rest, and so on, so that a few greedy holders leave something for others.
 */
export class SharedLimit {
  readonly #part: keyof Holder;
  readonly #limit: number;
  #taken = 0;

  constructor(part: keyof Holder, limit: number) {
    this.#part = part;
    this.#limit = limit;
  }

  /** If less than half is taken, every holder has room for one more. */
  get isHalfFree(): boolean {
    return this.#taken * 2 < this.#limit;
  }

  hasRoom(holder: Holder | undefined, amount = 1): boolean {
    return (holder?.[this.#part] ?? 0) + amount <= this.#limit - this.#taken;
  }

  take(holder: Holder, amount = 1): void {
    this.#taken += amount;
    holder[this.#part] += amount;
  }

  release(holder: Holder, amount = 1): void {
    this.#taken -= amount;
    holder[this.#part] -= amount;
  }
}
