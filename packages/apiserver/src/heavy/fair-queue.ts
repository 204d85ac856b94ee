interface Line<Item> {
  readonly waiting: Item[];
  running: number;
}

/**
 * First come, first served within a caller; callers take turns, so that one with a long queue delays only itself. Each may have as
 * many running as places are left, so that one whose items take very long does not hold all places.
 */
export class FairQueue<Item> {
  readonly #places: number;
  readonly #lines = new Map<string, Line<Item>>();
  #running = 0;

  constructor(places: number) {
    this.#places = places;
  }

  push(caller: string, item: Item): void {
    const line = this.#lines.get(caller);
    if (line) line.waiting.push(item);
    else this.#lines.set(caller, { waiting: [item], running: 0 });
  }

  /** The next item. It takes a place until `end` is called for its caller. */
  shift(): Item | undefined {
    for (const [caller, line] of this.#lines) {
      if (line.waiting.length === 0 || line.running >= this.#places - this.#running) continue;
      const item = line.waiting.shift();
      line.running++;
      this.#running++;
      this.#lines.delete(caller);
      this.#lines.set(caller, line);
      return item;
    }
    return undefined;
  }

  end(caller: string): void {
    const line = this.#lines.get(caller);
    if (!line) return;
    line.running--;
    this.#running--;
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(caller);
  }
}
