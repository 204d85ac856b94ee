/**
 * A queue of keys with client-go's contract. Keys are taken in the order in which they were added. A waiting key is not added twice. A
 * key that is added while it is in work is taken again after that, never concurrently.
 */
import type { Clock } from '@flotilla/timing';
import { DelayedKeys } from './delayed-keys.ts';
import { RetryLimiter, type RetryLimits } from './retry-limiter.ts';

/**
 * When a key is taken. `soon` is for new work that ought not to delay what has begun, `later` for keys of a first list or a resync. Keys
 * with a higher priority overtake them.
 */
export type Priority = 'now' | 'soon' | 'later';

/** The highest first. */
const priorities: readonly Priority[] = ['now', 'soon', 'later'];

/** For metrics. */
export interface QueueObserver {
  added(key: string, priority: Priority): void;
  taken(key: string, priority: Priority): void;
  done(key: string): void;
  retried(key: string): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly retryLimits?: RetryLimits;
  /** Called when there may be a key to take. */
  readonly onReady: () => void;
  readonly observer?: QueueObserver;
}

interface Waiting {
  readonly key: string;
  readonly priority: Priority;
}

/** One key in ten comes from `later` even while others wait, so that a busy fleet gets through its first list. */
const laterShare = 10;

export class WorkQueue {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #observer: QueueObserver | undefined;
  readonly #limiter: RetryLimiter;
  readonly #delayed: DelayedKeys;
  /** Entries that are not in `#waiting` are stale: their key moved to the other lane. */
  readonly #lanes: Readonly<Record<Priority, Fifo<Waiting>>> = {
    now: new Fifo(),
    soon: new Fifo(),
    later: new Fifo(),
  };
  readonly #waiting = new Map<string, Waiting>();
  readonly #processing = new Set<string>();
  /** Keys that were added while in work. */
  readonly #again = new Map<string, Priority>();
  #taken = 0;
  /** Waiting keys by lane. */
  readonly #counts: Record<Priority, number> = { now: 0, soon: 0, later: 0 };
  #isStopped = false;

  constructor({ clock, retryLimits, onReady, observer }: WorkQueueOptions) {
    this.#clock = clock;
    this.#onReady = onReady;
    this.#observer = observer;
    this.#limiter = new RetryLimiter(clock.elapsed(), retryLimits);
    this.#delayed = new DelayedKeys(clock, (key) => this.add(key));
  }

  add(key: string, priority: Priority = 'now'): void {
    if (this.#isStopped) return;
    const known = this.#processing.has(key) ? this.#again.get(key) : this.#waiting.get(key)?.priority;
    if (known !== undefined && priorities.indexOf(known) <= priorities.indexOf(priority)) return;
    if (known === undefined) this.#observer?.added(key, priority);
    if (this.#processing.has(key)) this.#again.set(key, priority);
    else this.#enqueue(key, priority);
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return;
    if (delayMs <= 0) this.add(key);
    else this.#delayed.add(key, delayMs);
  }

  /** Requeues after a failure, with a longer delay each time until `forget`. Returns the delay. */
  addRateLimited(key: string): number {
    this.#observer?.retried(key);
    const delayMs = this.#limiter.delayAfterFailure(key, this.#clock.elapsed());
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** Resets the back-off of a key. */
  forget(key: string): void {
    this.#limiter.forget(key);
  }

  /** The next key, which is in work until `done`. Cancels a delayed addition of it. */
  take(): string | undefined {
    const next = this.#next();
    if (next === undefined) return undefined;
    const { key, priority } = next;
    this.#taken++;
    this.#counts[priority]--;
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

  /** Accepts and returns no more keys; `done` still works. */
  stop(): void {
    this.#isStopped = true;
    for (const priority of priorities) this.#counts[priority] = 0;
    this.#waiting.clear();
    this.#again.clear();
    this.#delayed.clear();
  }

  /** Keys that can be taken now. */
  get depth(): number {
    return this.#waiting.size;
  }

  /** The highest priority of them; undefined if there are none. */
  get highest(): Priority | undefined {
    return priorities.find((priority) => this.#counts[priority] > 0);
  }

  get inWork(): number {
    return this.#processing.size;
  }

  /** Keys that are due later. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** Keys whose last try failed. */
  get failing(): number {
    return this.#limiter.failing;
  }

  failuresOf(key: string): number {
    return this.#limiter.failuresOf(key);
  }

  #enqueue(key: string, priority: Priority): void {
    const waiting = { key, priority };
    const before = this.#waiting.get(key);
    if (before !== undefined) this.#counts[before.priority]--;
    this.#counts[priority]++;
    this.#waiting.set(key, waiting);
    this.#lanes[priority].push(waiting);
    this.#onReady();
  }

  #next(): Waiting | undefined {
    const isTurnOfLater = this.#taken % laterShare === laterShare - 1;
    const later = isTurnOfLater ? this.#first('later') : undefined;
    return later ?? this.#first('now') ?? this.#first('soon') ?? this.#first('later');
  }

  #first(lane: Priority): Waiting | undefined {
    const fifo = this.#lanes[lane];
    let first = fifo.shift();
    while (first !== undefined && this.#waiting.get(first.key) !== first) first = fifo.shift();
    return first;
  }
}

/** A queue with push and shift in constant time, which long arrays do not have. */
class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#head === this.#items.length) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head >= 1024 && this.#head * 2 >= this.#items.length) this.#moveToFront();
    return item;
  }

  /** Called when half of the array is empty, so that each item moves about once. */
  #moveToFront(): void {
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
