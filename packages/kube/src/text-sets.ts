/** Sets of texts by key. A set of one text, as most are where objects point to each other, takes no memory of its own. */
export class TextSets {
  readonly #sets = new Map<string, string | Set<string>>();

  get size(): number {
    return this.#sets.size;
  }

  has(key: string): boolean {
    return this.#sets.has(key);
  }

  /** May show later changes. */
  get(key: string): Iterable<string> {
    const found = this.#sets.get(key);
    return typeof found === 'string' ? [found] : (found ?? []);
  }

  sizeOf(key: string): number {
    const found = this.#sets.get(key);
    return typeof found === 'string' ? 1 : (found?.size ?? 0);
  }

  keys(): Iterable<string> {
    return this.#sets.keys();
  }

  add(key: string, text: string): void {
    const found = this.#sets.get(key);
    if (found === undefined) this.#sets.set(key, text);
    else if (typeof found !== 'string') found.add(text);
    else if (found !== text) this.#sets.set(key, new Set([found, text]));
  }

  delete(key: string, text: string): void {
    const found = this.#sets.get(key);
    if (typeof found === 'object') found.delete(text);
    if (found === text || (typeof found === 'object' && found.size === 0)) this.#sets.delete(key);
  }

  clear(): void {
    this.#sets.clear();
  }
}
