/**
 * The way from a variable to a value, kept as Go keeps it: appending to a path writes behind its end when there is room, so that
 * two paths that grew from one may share what comes last, and the later one wins. cel-go's estimates depend on it.
 */
export class Path {
  static readonly none = new Path([], 0, 0);

  readonly length: number;
  readonly #store: string[];
  readonly #capacity: number;

  private constructor(store: string[], length: number, capacity: number) {
    this.#store = store;
    this.length = length;
    this.#capacity = capacity;
  }

  static of(name: string): Path {
    return new Path([name], 1, 1);
  }

  append(name: string): Path {
    if (this.length < this.#capacity) {
      this.#store[this.length] = name;
      return new Path(this.#store, this.length + 1, this.#capacity);
    }
    return new Path([...this.steps(), name], this.length + 1, Math.max(1, this.#capacity * 2));
  }

  steps(): readonly string[] {
    return this.#store.slice(0, this.length);
  }
}
