import type { Clock } from '@flotilla/timing';

interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/**
 * Time that passes when a test says so. Serves as the clock of servers, clients and controllers alike; timers ring in the
 * order of their moments, and whatever they start comes to rest before the next one rings.
 */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

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

  every(intervalMs: number, task: () => void): () => void {
    let cancel = (): void => {};
    const again = (): void => {
      cancel = this.after(intervalMs, again);
      task();
    };
    cancel = this.after(intervalMs, again);
    return () => cancel();
  }

  /** Lets so much time pass. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await atRest();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#now = next.at;
      this.#timers.delete(next);
      next.call();
      await atRest();
    }
    this.#now = end;
  }

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.size;
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (next === undefined || timer.at < next.at)) next = timer;
    }
    return next;
  }
}

/** Enough turns of the event loop for promises, and for work that pauses between turns, to come to rest. */
const turns = 20;

/** Until all that could go on without time passing has gone on; for things that do without sockets and files. */
export async function atRest(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
