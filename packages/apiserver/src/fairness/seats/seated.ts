/** Something that is in at most one `Seated`. */
export interface Seatable {
  /** Set by `Seated`; -1 if it is in none. */
  position: number;
}

/**
 * A set without order, for items that come and go with every request. A `Set` makes a new table for every few dozen of them. The
 * old table keeps its items alive until a full garbage collection, and with them their requests.
 */
export class Seated<T extends Seatable> implements Iterable<T> {
  readonly #items: T[] = [];

  add(item: T): void {
    item.position = this.#items.length;
    this.#items.push(item);
  }

  /** Returns false if the item is not in the set. */
  delete(item: T): boolean {
    const { position } = item;
    if (this.#items[position] !== item) return false;
    const last = this.#items.pop() as T;
    if (last !== item) {
      this.#items[position] = last;
      last.position = position;
    }
    item.position = -1;
    return true;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items.values();
  }
}
