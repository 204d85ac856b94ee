import type { Clock } from './clock.ts';

/** A clock that is wrong by `shiftMs`, which may change at any time. Delays are not affected. */
export class ShiftedClock implements Clock {
  shiftMs = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.shiftMs;
  }

  elapsed(): number {
    return this.#clock.elapsed();
  }

  after(milliseconds: number, call: () => void): () => void {
    return this.#clock.after(milliseconds, call);
  }

  every(milliseconds: number, call: () => void): () => void {
    return this.#clock.every(milliseconds, call);
  }
}
