/**
 * What is to be done, by key. Fair: keys are taken in the order in which they came. Stingy: a key that waits is not added
 * twice, and one that comes back while it is in work is taken again when that work is done, never beside it.
 */
import type { Clock } from '@flotilla/timing';
import { DelayedKeys } from './delayed-keys.ts';
import { Fifo } from './fifo.ts';
import { RetryLimiter, type RetryLimits } from './retry-limiter.ts';

/** `later` is for what a first list or a resync brings: live changes overtake it. */
export type Priority = 'now' | 'later';

/** What happens in a queue, for those who measure it. */
export interface QueueObserver {
  added(key: string, priority: Priority): void;
  taken(key: string, priority: Priority): void;
  done(key: string): void;
  retried(key: string): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly retryLimits?: RetryLimits;
  /** Called when there may be something to take. */
  readonly onReady: () => void;
  readonly observer?: QueueObserver;
}

interface Waiting {
  readonly key: string;
  readonly priority: Priority;
}

/** One in so many is taken from `later` while `now` has something: a busy fleet still gets through its first list. */
const laterShare = 10;

export class WorkQueue {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #observer: QueueObserver | undefined;
  readonly #limiter: RetryLimiter;
  readonly #delayed: DelayedKeys;
  /** Entries that `#waiting` does not hold any more were overtaken: their key moved to the other lane. */
  readonly #lanes: Readonly<Record<Priority, Fifo<Waiting>>> = { now: new Fifo(), later: new Fifo() };
  readonly #waiting = new Map<string, Waiting>();
  readonly #processing = new Set<string>();
  /** Keys in work that came back. */
  readonly #again = new Map<string, Priority>();
  #taken = 0;
  #isStopped = false;

  constructor({ clock, retryLimits, onReady, observer }: WorkQueueOptions) {
    this.#clock = clock;
    this.#onReady = onReady;
    this.#observer = observer;
    this.#limiter = new RetryLimiter(clock.now(), retryLimits);
    this.#delayed = new DelayedKeys(clock, (key) => this.add(key));
  }

  add(key: string, priority: Priority = 'now'): void {
    if (this.#isStopped) return;
    const known = this.#processing.has(key) ? this.#again.get(key) : this.#waiting.get(key)?.priority;
    if (known === 'now' || known === priority) return;
    if (known === undefined) this.#observer?.added(key, priority);
    if (this.#processing.has(key)) this.#again.set(key, priority);
    else this.#enqueue(key, priority);
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return;
    if (delayMs <= 0) this.add(key);
    else this.#delayed.add(key, delayMs);
  }

  /** After a failure: later each time, until `forget`. Returns how much later. */
  addRateLimited(key: string): number {
    this.#observer?.retried(key);
    const delayMs = this.#limiter.delayAfterFailure(key, this.#clock.now());
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** All is well with this key: its next failure is a first one. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }

  /** The next key, which is in work from now until `done`. What was to come later about it is not needed any more. */
  take(): string | undefined {
    const next = this.#next();
    if (next === undefined) return undefined;
    const { key, priority } = next;
    this.#taken++;
    this.#waiting.delete(key);
    this.#processing.add(key);
    this.#delayed.cancel(key);
    this.#observer?.taken(key, priority);
    return key;
  }

  done(key: string): void {
    if (!this.#processing.delete(key)) return;
    this.#observer?.done(key);
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (again !== undefined && !this.#isStopped) this.#enqueue(key, again);
  }

  /** Takes nothing in and gives nothing out any more; what is in work may be finished. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
    this.#again.clear();
    this.#delayed.clear();
  }

  /** Keys that could be taken now. */
  get depth(): number {
    return this.#waiting.size;
  }

  get inWork(): number {
    return this.#processing.size;
  }

  /** Keys that wait for a moment to come. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** Keys that failed when they were last in work. */
  get failing(): number {
    return this.#limiter.failing;
  }

  failuresOf(key: string): number {
    return this.#limiter.failuresOf(key);
  }

  #enqueue(key: string, priority: Priority): void {
    const waiting = { key, priority };
    this.#waiting.set(key, waiting);
    this.#lanes[priority].push(waiting);
    this.#onReady();
  }

  #next(): Waiting | undefined {
    const isLatersTurn = this.#taken % laterShare === laterShare - 1;
    return isLatersTurn ? (this.#first('later') ?? this.#first('now')) : (this.#first('now') ?? this.#first('later'));
  }

  #first(lane: Priority): Waiting | undefined {
    const fifo = this.#lanes[lane];
    let first = fifo.shift();
    while (first !== undefined && this.#waiting.get(first.key) !== first) first = fifo.shift();
    return first;
  }
}
