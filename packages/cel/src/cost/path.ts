/**
 * A path from a variable to a value, with the aliasing of Go slices. Two paths appended to the same one may share
 * their last step, and the later one wins. cel-go's estimates depend on it.
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
