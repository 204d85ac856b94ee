import type { Clock } from '@flotilla/timing';
import { Entries } from './entries.ts';

interface Delayed {
  readonly key: string;
  readonly at: number;
}

/** Stale entries below this number are not swept. */
const tolerated = 64;

/** Keys that are due later: a heap, with one timer for the earliest. */
export class DelayedKeys {
  readonly #clock: Clock;
  readonly #due: (key: string) => void;
  readonly #heap: Delayed[] = [];
  /** The valid entries. Other entries of the heap were replaced or cancelled. */
  readonly #current = new Entries<Delayed>();
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, due: (key: string) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** A key that waits already keeps the earlier time. */
  add(key: string, delayMs: number): void {
    const at = this.#clock.elapsed() + delayMs;
    const before = this.#current.get(key);
    if (before !== undefined && before.at <= at) return;
    const delayed = { key, at };
    if (before !== undefined) this.#current.delete(before);
    this.#current.add(delayed);
    if (this.#heap.length > 2 * this.#current.size + tolerated) this.#sweep();
    else this.#push(delayed);
    this.#setTimer();
  }

  cancel(key: string): void {
    const delayed = this.#current.get(key);
    if (delayed !== undefined) this.#current.delete(delayed);
  }

  clear(): void {
    this.#heap.length = 0;
    this.#current.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  get size(): number {
    return this.#current.size;
  }

  #setTimer(): void {
    const first = this.#heap[0];
    if (first === undefined || (this.#timer !== undefined && this.#timer.at <= first.at)) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(Math.max(0, first.at - this.#clock.elapsed()), () => this.#fire());
    this.#timer = { at: first.at, cancel };
  }

  #fire(): void {
    this.#timer = undefined;
    const now = this.#clock.elapsed();
    for (let first = this.#heap[0]; first !== undefined && first.at <= now; first = this.#heap[0]) {
      this.#pop();
      if (this.#current.get(first.key) !== first) continue;
      this.#current.delete(first);
      this.#due(first.key);
    }
    this.#setTimer();
  }

  /** Rebuilds the heap from the valid entries: a sorted list is a heap. */
  #sweep(): void {
    this.#heap.length = 0;
    for (const delayed of this.#current.all()) this.#heap.push(delayed);
    this.#heap.sort((a, b) => a.at - b.at);
  }

  #push(delayed: Delayed): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.at <= delayed.at) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = delayed;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const child = this.#earlierChild(at);
      const below = heap[child];
      if (below === undefined || below.at >= last.at) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }

  #earlierChild(at: number): number {
    const left = 2 * at + 1;
    const leftAt = this.#heap[left]?.at ?? Number.POSITIVE_INFINITY;
    const rightAt = this.#heap[left + 1]?.at ?? Number.POSITIVE_INFINITY;
    return rightAt < leftAt ? left + 1 : left;
  }
}
