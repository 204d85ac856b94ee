/** Entries by key. One of them is not in the map: most queues hold one key at a time, and a map that a delete empties gets a new table. */
export class Entries<Entry extends { readonly key: string }> {
  #one: Entry | undefined;
  #others: Map<string, Entry> | undefined;

  get size(): number {
    return (this.#one === undefined ? 0 : 1) + (this.#others?.size ?? 0);
  }

  get(key: string): Entry | undefined {
    return this.#one?.key === key ? this.#one : this.#others?.get(key);
  }

  /** Only for a key without an entry. */
  add(entry: Entry): void {
    if (this.#one === undefined) this.#one = entry;
    else (this.#others ??= new Map()).set(entry.key, entry);
  }

  delete(entry: Entry): void {
    if (this.#one === entry) this.#one = undefined;
    else this.#others?.delete(entry.key);
  }

  clear(): void {
    this.#one = undefined;
    this.#others = undefined;
  }

  *all(): Generator<Entry, void> {
    if (this.#one !== undefined) yield this.#one;
    yield* this.#others?.values() ?? [];
  }
}
