/** First come, first served within a caller; callers take turns, so that one with a long queue delays only itself. */
export class FairQueue<Item> {
  readonly #queues = new Map<string, Item[]>();

  push(caller: string, item: Item): void {
    const queue = this.#queues.get(caller);
    if (queue) queue.push(item);
    else this.#queues.set(caller, [item]);
  }

  shift(): Item | undefined {
    for (const [caller, queue] of this.#queues) {
      const item = queue.shift();
      this.#queues.delete(caller);
      if (queue.length > 0) this.#queues.set(caller, queue);
      return item;
    }
    return undefined;
  }
}
