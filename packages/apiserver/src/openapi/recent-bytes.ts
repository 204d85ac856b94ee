/** A cache of the most recently used bytes up to a limit: documents of many definitions are larger than the definitions. */
export class RecentBytes {
  readonly #limit: number;
  /** In the order of use, the most recent last. */
  readonly #kept = new Map<string, Uint8Array>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get total(): number {
    return this.#total;
  }

  get(key: string): Uint8Array | undefined {
    const bytes = this.#kept.get(key);
    if (bytes) {
      this.#kept.delete(key);
      this.#kept.set(key, bytes);
    }
    return bytes;
  }

  put(key: string, bytes: Uint8Array): void {
    this.#drop(key);
    this.#kept.set(key, bytes);
    this.#total += bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= this.#limit) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#total -= this.#kept.get(key)?.length ?? 0;
    this.#kept.delete(key);
  }
}
