import type { Clock } from '@flotilla/timing';

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/**
 * Time that passes when a test says so. Timers fire in the order of their times, and what they start comes to rest before
 * the next one fires.
 */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  /** Starts on 1 January 2026 unless the test says otherwise, in milliseconds since the epoch. */
  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
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

  /** Moves on, and fires every timer that becomes due on the way. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await atRest();
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#now = next.at;
      await this.#fire(next);
    }
    this.#now = end;
  }

  /** Moves on at once, as after a machine has slept: each timer that became due fires once, late. */
  async skip(milliseconds: number): Promise<void> {
    await atRest();
    this.#now += milliseconds;
    const due = [...this.#timers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at);
    for (const timer of due) if (this.#timers.has(timer)) await this.#fire(timer);
  }

  /** Moves on in steps of 100 ms until the promise is settled. For what retries before it is ready. */
  async advanceUntil<T>(promise: Promise<T>): Promise<T> {
    const progress = { isOver: false };
    const end = (): void => void (progress.isOver = true);
    void promise.then(end, end);
    await atRest();
    while (!progress.isOver) await this.advance(100);
    return promise;
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size;
  }

  async #fire(timer: Timer): Promise<void> {
    this.#timers.delete(timer);
    timer.call();
    await atRest();
  }

  #nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}

/** Enough turns of the event loop for promises, and for work that yields between turns, to come to rest. */
const turns = 20;

/** Resolves when all that can go on without time passing has gone on, as long as no socket, file or thread is involved. */
export async function atRest(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
