/** A busy loop beside few requests does other work, so that requests count at most this much. It keeps all callers moving. */
const maxFactor = 4;
const minFactor = 1 / 4;
/** What is left of earlier measurements with each new one. */
const remaining = 0.98;
/** After a longer pause the busy time since the last measurement says nothing about requests. */
const maxPauseMs = 50;

/**
 * How long the event loop is busy for each estimated millisecond of work. Machines differ, and work takes longer while other
 * threads and processes need the same cores. Garbage collection counts, too.
 */
export class MeasuredCost {
  factor = 1;
  readonly #busyMs: () => number;
  #busyBefore = 0;
  #measuredAt = -Infinity;
  #estimated = 0;
  /** Of recent measurements. */
  #busySum = 0;
  #estimatedSum = 0;

  /** `busyMs` is the time for which the event loop has been busy since its start. */
  constructor(busyMs: () => number) {
    this.#busyMs = busyMs;
  }

  /** Work has begun that is estimated to take so long. */
  add(ms: number): void {
    this.#estimated += ms;
  }

  measure(now: number): void {
    const busy = this.#busyMs();
    if (now - this.#measuredAt <= maxPauseMs) this.#update(busy - this.#busyBefore);
    this.#busyBefore = busy;
    this.#measuredAt = now;
    this.#estimated = 0;
  }

  #update(busy: number): void {
    this.#busySum = this.#busySum * remaining + busy;
    this.#estimatedSum = this.#estimatedSum * remaining + this.#estimated;
    if (this.#estimatedSum === 0) return;
    this.factor = Math.max(minFactor, Math.min(this.#busySum / this.#estimatedSum, maxFactor));
  }
}
