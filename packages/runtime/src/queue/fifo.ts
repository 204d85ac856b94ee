/** A queue with push and shift in constant time, which long arrays do not have. */
export class Fifo<T> {
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
