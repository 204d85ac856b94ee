import type { Clock } from '@flotilla/timing';
import { MeasuredCost } from './measured-cost.ts';

/** A caller with more requests in flight than this may be throttled. */
const maxFew = 8;
/** Other callers count as present for so long after a request. */
const presenceMs = 1000;
/** The share of the event loop's time that a throttled caller gets. */
const share = 1 / 2;
/** Its time comes in slices. The requests of one share a commit; a longer one would delay other callers more. */
const sliceMs = 2;

interface Caller {
  inFlight: number;
  /** Time that it may still use in its present slice. Negative: it used more. */
  leftMs: number;
  sliceAt: number;
}

/**
 * Keeps time of the event loop free while several callers are present. A loop that is always busy makes every request wait, whatever
 * the order in which requests are served. So a caller with many requests in flight gets a share of the time if a caller with few
 * has sent one recently. A caller alone gets all of it, and so do callers that all have many.
 */
export class CallerThrottle {
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly #cost: MeasuredCost;
  /** Callers with requests in flight. */
  readonly #callers = new Map<string, Caller>();
  /** How many of them have many. */
  #withMany = 0;
  /** The last caller that had few requests in flight when it sent one. */
  #last = '';
  #lastAt = -Infinity;
  /** When another such caller sent one. */
  #otherAt = -Infinity;
  readonly #waiting = new Set<() => void>();
  #cancelSlice: (() => void) | undefined;

  constructor(
    clock: Pick<Clock, 'elapsed' | 'after'>,
    busyMs: () => number = () => performance.eventLoopUtilization().active,
  ) {
    this.#clock = clock;
    this.#cost = new MeasuredCost(busyMs);
  }

  stop(): void {
    this.#cancelSlice?.();
  }

  /** A request has come. Callers are undefined in process: this neither throttles them nor others because of them. */
  requested(caller: string | undefined): void {
    if (caller === undefined) return;
    if (this.#withMany > 0 && hasMany(this.#callers.get(caller))) return;
    if (caller !== this.#last) {
      this.#otherAt = this.#lastAt;
      this.#last = caller;
    }
    this.#lastAt = this.#clock.elapsed();
  }

  /** A request waits or executes. Call `left` when it is over. */
  entered(caller: string | undefined): void {
    if (caller === undefined) return;
    const found = this.#callers.get(caller);
    if (found === undefined) this.#callers.set(caller, { inFlight: 1, leftMs: 0, sliceAt: -Infinity });
    else if (++found.inFlight === maxFew + 1) this.#withMany++;
  }

  left(caller: string | undefined): void {
    if (caller === undefined) return;
    const found = this.#callers.get(caller);
    if (found === undefined) return;
    if (--found.inFlight === maxFew) this.#withMany--;
    if (found.inFlight === 0) this.#callers.delete(caller);
  }

  /** Whether the caller's requests must wait for its next slice. */
  holds(caller: string | undefined): boolean {
    const throttled = this.#throttled(caller);
    if (throttled === undefined) return false;
    const now = this.#clock.elapsed();
    const passed = now - throttled.sliceAt;
    if (passed >= sliceMs) {
      this.#cost.measure(now);
      // Unused time does not add up: its caller would then use several slices at once.
      throttled.leftMs = Math.min(throttled.leftMs + passed * share, sliceMs * share);
      throttled.sliceAt = now;
    }
    return throttled.leftMs <= 0;
  }

  /** Work of a caller begins that is estimated to take so many milliseconds. */
  charge(caller: string | undefined, ms: number): void {
    this.#cost.add(ms);
    const throttled = this.#throttled(caller);
    if (throttled !== undefined) throttled.leftMs -= ms * this.#cost.factor;
  }

  /** Calls once when callers that are held may have a new slice. */
  whenFree(call: () => void): void {
    this.#waiting.add(call);
    this.#cancelSlice ??= this.#clock.after(sliceMs, () => {
      this.#cancelSlice = undefined;
      const calls = [...this.#waiting];
      this.#waiting.clear();
      for (const one of calls) one();
    });
  }

  #throttled(caller: string | undefined): Caller | undefined {
    if (this.#withMany === 0 || caller === undefined) return undefined;
    const found = this.#callers.get(caller);
    if (!hasMany(found)) return undefined;
    const othersAt = caller === this.#last ? this.#otherAt : this.#lastAt;
    return this.#clock.elapsed() - othersAt < presenceMs ? found : undefined;
  }
}

function hasMany(caller: Caller | undefined): boolean {
  return caller !== undefined && caller.inFlight > maxFew;
}
