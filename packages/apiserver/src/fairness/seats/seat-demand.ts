/** Kubernetes adjusts the seats of levels in this period. */
export const adjustmentMs = 10_000;

/** The smoothed demand falls by half in five minutes. */
const smoothing = 0.977;

/** The demand of a level in the last period: seats that its requests had or waited for. */
export interface DemandReport {
  readonly highest: number;
  readonly average: number;
  readonly deviation: number;
  readonly smoothed: number;
}

/** Integrates the demand of a level over time. */
export class SeatDemand {
  #now: number;
  #since: number;
  #value = 0;
  #highest = 0;
  #sum = 0;
  #squares = 0;
  #last: DemandReport = { highest: 0, average: 0, deviation: 0, smoothed: 0 };

  constructor(now: number) {
    this.#now = now;
    this.#since = now;
  }

  set(value: number, now: number): void {
    if (value === this.#value) return;
    this.#advance(now);
    this.#value = value;
    this.#highest = Math.max(this.#highest, value);
  }

  /** Ends the period. A long one counts as several, because a server that has seats for everybody adjusts nothing. */
  report(now: number): DemandReport {
    this.#advance(now);
    const passed = now - this.#since;
    const last = passed > 0 ? this.#reportOf(passed) : { ...this.#last, highest: this.#highest };
    this.#last = last;
    this.#since = now;
    this.#sum = 0;
    this.#squares = 0;
    this.#highest = this.#value;
    return last;
  }

  #reportOf(passedMs: number): DemandReport {
    const average = this.#sum / passedMs;
    const deviation = Math.sqrt(Math.max(0, this.#squares / passedMs - average * average));
    const envelope = average + deviation;
    const kept = smoothing ** Math.max(1, passedMs / adjustmentMs);
    const smoothed = Math.max(envelope, kept * this.#last.smoothed + (1 - kept) * envelope);
    return { highest: this.#highest, average, deviation, smoothed };
  }

  #advance(now: number): void {
    const passed = now - this.#now;
    this.#now = now;
    this.#sum += this.#value * passed;
    this.#squares += this.#value * this.#value * passed;
  }
}
