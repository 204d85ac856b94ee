/**
 * A queue of keys with client-go's contract. Keys are taken in the order in which they were added. A waiting key is not added twice. A
 * key that is added while it is in work is taken again after that, never concurrently.
 */
import type { Clock } from '@flotilla/timing';
import { DelayedKeys } from './delayed-keys.ts';
import { Entries } from './entries.ts';
import { Entry, Lane } from './lane.ts';
import { RetryLimiter, type RetryLimits } from './retry-limiter.ts';

/**
 * When a key is taken. `soon` is for new work that ought not to delay what has begun, `later` for keys of a first list or a resync. Keys
 * with a higher priority overtake them.
 */
export type Priority = 'now' | 'soon' | 'later';

/** The highest first. */
const ranks: Readonly<Record<Priority, number>> = { now: 0, soon: 1, later: 2 };

/** For metrics. */
export interface QueueObserver {
  added(priority: Priority): void;
  /** The priority is that of `added`, even if a later addition had a higher one. */
  taken(priority: Priority, waitedMs: number): void;
  done(workedMs: number): void;
  retried(): void;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly retryLimits?: RetryLimits;
  /** Called when there may be a key to take. */
  readonly onReady: () => void;
  readonly observer?: QueueObserver;
}

/** One key in ten comes from `later` even while others wait, so that a busy fleet gets through its first list. */
const laterShare = 10;

export class WorkQueue {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #observer: QueueObserver | undefined;
  readonly #retryLimits: RetryLimits | undefined;
  /** Both are made when a key needs them: those of most queues never do. */
  #limiter: RetryLimiter | undefined;
  #delayed: DelayedKeys | undefined;
  readonly #lanes: Readonly<Record<Priority, Lane>> = { now: new Lane(), soon: new Lane(), later: new Lane() };
  /** All keys that wait or are in work. */
  readonly #entries = new Entries<Entry>();
  #inWork = 0;
  #taken = 0;
  #isStopped = false;

  constructor({ clock, retryLimits, onReady, observer }: WorkQueueOptions) {
    this.#clock = clock;
    this.#onReady = onReady;
    this.#observer = observer;
    this.#retryLimits = retryLimits;
  }

  add(key: string, priority: Priority = 'now'): void {
    if (this.#isStopped) return;
    const entry = this.#entries.get(key) ?? this.#newEntry(key);
    const known = entry.priority;
    if (known !== undefined && ranks[known] <= ranks[priority]) return;
    if (known === undefined) {
      entry.addedAs = priority;
      entry.addedAt = this.#clock.elapsed();
      this.#observer?.added(priority);
    } else if (!entry.isInWork) this.#lanes[known].remove(entry);
    entry.priority = priority;
    if (!entry.isInWork) this.#enqueue(entry, priority);
  }

  addAfter(key: string, delayMs: number): void {
    if (this.#isStopped) return;
    if (delayMs <= 0) this.add(key);
    else {
      this.#delayed ??= new DelayedKeys(this.#clock, (due) => this.add(due));
      this.#delayed.add(key, delayMs);
    }
  }

  /** Requeues after a failure, with a longer delay each time until `forget`. Returns the delay. */
  addRateLimited(key: string): number {
    this.#observer?.retried();
    const now = this.#clock.elapsed();
    this.#limiter ??= new RetryLimiter(now, this.#retryLimits);
    const delayMs = this.#limiter.delayAfterFailure(key, now);
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** Resets the back-off of a key. */
  forget(key: string): void {
    this.#limiter?.forget(key);
  }

  /** The next key, which is in work until `done`. Cancels a delayed addition of it. */
  take(): string | undefined {
    const lane = this.#nextLane();
    const entry = lane.first;
    if (entry === undefined) return undefined;
    lane.remove(entry);
    entry.priority = undefined;
    entry.isInWork = true;
    entry.takenAt = this.#clock.elapsed();
    this.#inWork++;
    this.#taken++;
    this.#delayed?.cancel(entry.key);
    this.#observer?.taken(entry.addedAs, entry.takenAt - entry.addedAt);
    return entry.key;
  }

  /** Returns how long the key was in work, in milliseconds. */
  done(key: string): number {
    const entry = this.#entries.get(key);
    if (entry?.isInWork !== true) return 0;
    const workedMs = this.#clock.elapsed() - entry.takenAt;
    this.#observer?.done(workedMs);
    entry.isInWork = false;
    this.#inWork--;
    if (entry.priority === undefined) this.#entries.delete(entry);
    else this.#enqueue(entry, entry.priority);
    return workedMs;
  }

  /** Accepts and returns no more keys; `done` still works. */
  stop(): void {
    this.#isStopped = true;
    for (const entry of this.#entries.all()) {
      if (!entry.isInWork) this.#entries.delete(entry);
      else entry.priority = undefined;
    }
    for (const lane of Object.values(this.#lanes)) lane.clear();
    this.#delayed?.clear();
  }

  /** Keys that can be taken now. */
  get depth(): number {
    return this.#entries.size - this.#inWork;
  }

  /** The highest priority of them; undefined if there are none. */
  get highest(): Priority | undefined {
    const { now, soon, later } = this.#lanes;
    return now.first ? 'now' : soon.first ? 'soon' : later.first && 'later';
  }

  get inWork(): number {
    return this.#inWork;
  }

  /** How long each key that is in work has been so, in milliseconds. */
  workedMs(): readonly number[] {
    const now = this.#clock.elapsed();
    return Array.from(this.#entries.all())
      .filter(({ isInWork }) => isInWork)
      .map(({ takenAt }) => now - takenAt);
  }

  /** Keys that are due later. */
  get delayed(): number {
    return this.#delayed?.size ?? 0;
  }

  /** Keys whose last try failed. */
  get failing(): number {
    return this.#limiter?.failing ?? 0;
  }

  failuresOf(key: string): number {
    return this.#limiter?.failuresOf(key) ?? 0;
  }

  #newEntry(key: string): Entry {
    const entry = new Entry(key);
    this.#entries.add(entry);
    return entry;
  }

  #enqueue(entry: Entry, priority: Priority): void {
    this.#lanes[priority].push(entry);
    this.#onReady();
  }

  /** The lane from which the next key is taken. */
  #nextLane(): Lane {
    const { now, soon, later } = this.#lanes;
    const isTurnOfLater = this.#taken % laterShare === laterShare - 1;
    if (isTurnOfLater && later.first) return later;
    return now.first ? now : soon.first ? soon : later;
  }
}
