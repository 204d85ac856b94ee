import type { Clock } from '@flotilla/timing';

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/**
 * A clock that only the test advances. Timers fire in order, and promises that a timer starts are flushed before the next
 * one fires.
 */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  /** `now` is in milliseconds since the epoch. The default is 1 January 2026. */
  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  /** In whole milliseconds, as `Date.now`. Timers may be due in between. */
  now(): number {
    return Math.floor(this.#now);
  }

  elapsed(): number {
    return this.#now;
  }

  after(milliseconds: number, call: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, milliseconds), call };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  every(milliseconds: number, call: () => void): () => void {
    let cancel = (): void => {};
    const again = (): void => {
      cancel = this.after(milliseconds, again);
      call();
    };
    cancel = this.after(milliseconds, again);
    return () => cancel();
  }

  /** Advances, and fires every timer that becomes due at its own time. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await flushPromises();
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#now = next.at;
      await this.#fire(next);
    }
    this.#now = end;
  }

  /** Jumps, as after a machine was suspended: each timer that became due fires once, late. */
  async skip(milliseconds: number): Promise<void> {
    await flushPromises();
    this.#now += milliseconds;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.has(timer)) await this.#fire(timer);
  }

  /** Advances in steps of 100 ms until the promise is settled. For operations that retry. */
  async advanceUntil<T>(promise: Promise<T>): Promise<T> {
    const progress = { isOver: false };
    const end = (): void => void (progress.isOver = true);
    void promise.then(end, end);
    await flushPromises();
    while (!progress.isOver) await this.advance(100);
    return promise;
  }

  /** The number of timers that have not fired. */
  get pending(): number {
    return this.#timers.size;
  }

  async #fire(timer: Timer): Promise<void> {
    this.#timers.delete(timer);
    timer.call();
    await flushPromises();
  }

  #nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}

/** Enough turns of the event loop for promises, and for work that yields between turns, to finish. */
const turns = 20;

/** Resolves when all pending promises have been handled that depend on no timer, socket, file or thread. */
export async function flushPromises(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
