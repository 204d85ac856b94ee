interface CallerQueue<Item> {
  readonly waiting: Item[];
  running: number;
}

/**
 * A queue with a limit on running items. Items of one caller keep their order; callers take turns, so a long queue delays only
 * its own caller. A caller may run as many items as slots are left, so slow items of one caller do not take all slots.
 */
export class FairQueue<Item> {
  readonly #slots: number;
  readonly #queues = new Map<string, CallerQueue<Item>>();
  #running = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  push(caller: string, item: Item): void {
    const queue = this.#queues.get(caller);
    if (queue) queue.waiting.push(item);
    else this.#queues.set(caller, { waiting: [item], running: 0 });
  }

  /** Returns the next item. It takes a slot until `end` is called for its caller. */
  shift(): Item | undefined {
    for (const [caller, queue] of this.#queues) {
      if (queue.waiting.length === 0 || queue.running >= this.#slots - this.#running) continue;
      const item = queue.waiting.shift();
      queue.running++;
      this.#running++;
      this.#queues.delete(caller);
      this.#queues.set(caller, queue);
      return item;
    }
    return undefined;
  }

  end(caller: string): void {
    const queue = this.#queues.get(caller);
    if (!queue) return;
    queue.running--;
    this.#running--;
    if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(caller);
  }
}
