/** What one user holds of a limit; for anonymous users, one connection. */
export interface Holder {
  held: number;
}

/**
 * A limit that no single holder can use up: each may hold as much as is still free. The first gets at most half, the next half
 * of the rest, and so on, so that a few greedy holders leave something for others.
 */
export class SharedLimit {
  readonly #limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  hasRoom({ held }: Holder, amount: number): boolean {
    return held + amount <= this.#limit - this.#taken;
  }

  take(holder: Holder, amount: number): void {
    this.#taken += amount;
    holder.held += amount;
  }

  release(holder: Holder, amount: number): void {
    this.#taken -= amount;
    holder.held -= amount;
  }
}
