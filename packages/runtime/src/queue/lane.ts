import type { Priority } from './work-queue.ts';

/** A key that waits or is in work. */
export class Entry {
  readonly key: string;
  /** Of the lane in which it waits, or will wait when it is done. Undefined if it is in work and was not added since. */
  priority: Priority | undefined;
  isInWork = false;
  /** Of the first of several additions, for metrics. */
  addedAs: Priority = 'now';
  addedAt = 0;
  takenAt = 0;
  before: Entry | undefined;
  after: Entry | undefined;

  constructor(key: string) {
    this.key = key;
  }
}

/** Waiting keys of one priority, in the order of their addition. */
export class Lane {
  #last: Entry | undefined;
  first: Entry | undefined;

  push(entry: Entry): void {
    entry.before = this.#last;
    if (this.#last === undefined) this.first = entry;
    else this.#last.after = entry;
    this.#last = entry;
  }

  remove(entry: Entry): void {
    const { before, after } = entry;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    entry.before = undefined;
    entry.after = undefined;
  }

  clear(): void {
    this.first = undefined;
    this.#last = undefined;
  }
}
