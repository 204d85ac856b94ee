/** What one user of a server holds of its limits; of anonymous callers, one connection. */
export interface Holder {
  /** Requests that are being worked on. */
  reading: number;
  changing: number;
  /** Bytes of bodies that wait, or belong to requests that are being worked on. */
  bodyBytes: number;
}

/**
 * A limit that no holder can use up: each may have as much as is still free. The first takes at most half, the next half of the
 * rest, and so on, so that a few who take all that they get leave something for others.
 */
export class SharedLimit {
  readonly #part: keyof Holder;
  readonly #limit: number;
  #taken = 0;

  constructor(part: keyof Holder, limit: number) {
    this.#part = part;
    this.#limit = limit;
  }

  /** Whether one more is free for every holder, because no holder can have more than all together. */
  get isCalm(): boolean {
    return this.#taken * 2 < this.#limit;
  }

  hasRoom(holder: Holder | undefined, amount = 1): boolean {
    return (holder?.[this.#part] ?? 0) + amount <= this.#limit - this.#taken;
  }

  take(holder: Holder, amount = 1): void {
    this.#taken += amount;
    holder[this.#part] += amount;
  }

  giveBack(holder: Holder, amount = 1): void {
    this.#taken -= amount;
    holder[this.#part] -= amount;
  }
}
