import { Histogram } from '@flotilla/kube';

const nanosecondsPerMs = 1e6;

/**
 * A number as a fraction of its limit, integrated over time: the histogram counts one observation for each nanosecond, as
 * kube-apiserver does. A change of the number costs one observation.
 */
export class TimedRatio {
  readonly histogram: Histogram;
  #value = 0;
  #limit = 1;
  #at: number;

  /** `now` is in milliseconds, here and below. */
  constructor(bounds: readonly number[], now: number) {
    this.histogram = new Histogram(bounds);
    this.#at = now;
  }

  set(value: number, now: number): void {
    if (value === this.#value) return;
    this.advance(now);
    this.#value = value;
  }

  add(amount: number, now: number): void {
    this.set(this.#value + amount, now);
  }

  /** A number without a limit counts as it is. */
  setLimit(limit: number, now: number): void {
    if (limit === this.#limit) return;
    this.advance(now);
    this.#limit = Math.max(limit, 1);
  }

  /** Counts the time since the last change. Call it before the histogram is read. */
  advance(now: number): void {
    const nanoseconds = Math.round((now - this.#at) * nanosecondsPerMs);
    this.#at = now;
    if (nanoseconds > 0) this.histogram.observe(this.#value / this.#limit, nanoseconds);
  }
}
