/** A list that grows at its end and is trimmed from its start. An item keeps its index. */
export class TrimmedList<T> {
  #items: (T | undefined)[] = [];
  /** Index of `#items[0]`. */
  #base = 0;
  #first = 0;

  /** Index of the oldest item in the list; equals `end` if the list is empty. */
  get first(): number {
    return this.#first;
  }

  /** Index that the next item will get. */
  get end(): number {
    return this.#base + this.#items.length;
  }

  at(index: number): T | undefined {
    return this.#items[index - this.#base];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#first === this.end) return undefined;
    const offset = this.#first++ - this.#base;
    const item = this.#items[offset];
    this.#items[offset] = undefined;
    // Moving the rest only when half is empty keeps the cost per item constant.
    if (offset > 512 && offset > this.#items.length / 2) {
      this.#items = this.#items.slice(offset + 1);
      this.#base = this.#first;
    }
    return item;
  }

  /** Index of the first item for which `isAfter` holds; items must be ordered so that it holds from some item on. */
  findFirst(isAfter: (item: T) => boolean): number {
    let low = this.#first;
    let high = this.end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (isAfter(this.at(middle)!)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
