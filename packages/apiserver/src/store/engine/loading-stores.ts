import type { LogRows } from '../sqlite/log-rows.ts';
import type { FoundStore } from '../sqlite/sqlite-messages.ts';
import { StateLoader } from './state-loader.ts';

/** The stores of a file while their rows arrive: all rows of the oldest store come first, then those of the next. */
export class LoadingStores {
  /** Without those that are taken. */
  readonly #loaders = new Map<number, StateLoader>();
  readonly #first: string | undefined;
  readonly #firstArrived = Promise.withResolvers<void>();
  /** Numbers of stores by name. */
  #ids: ReadonlyMap<string, number> = new Map();
  #bases: ReadonlySet<number | null> = new Set();
  /** The store whose rows arrive. All before it are complete. */
  #arriving = 0;

  /** `first` is the name of the store that `firstArrived` is about. */
  constructor(first?: string) {
    this.#first = first;
  }

  /** Resolves when all rows of the first store have arrived, if there are stores after it. */
  get firstArrived(): Promise<void> {
    return this.#firstArrived.promise;
  }

  /** In the order of their creation. */
  get names(): Iterable<string> {
    return this.#ids.keys();
  }

  found(stores: readonly FoundStore[]): void {
    this.#ids = new Map(stores.map(({ id, name }) => [name, id]));
    this.#bases = new Set(stores.map(({ base }) => base));
    for (const store of stores)
      this.#loaders.set(store.id, new StateLoader(store, this.#loaders.get(store.base ?? -1)));
  }

  rows(rows: LogRows): void {
    for (const [index, store] of rows.stores.entries()) {
      const loader = this.#loaders.get(store);
      if (loader === undefined) throw new RangeError(`a row belongs to store ${store}, which does not exist`);
      loader.add(rows, index);
      this.#arriving = store;
    }
    if (this.#isComplete(this.#ids.get(this.#first ?? ''))) this.#firstArrived.resolve();
  }

  /** No more rows come. */
  end(): void {
    this.#arriving = Infinity;
  }

  /** Whether other stores start from this one. */
  isBase(id: number): boolean {
    return this.#bases.has(id);
  }

  /** Returns a complete store once, so that nothing keeps its rows. */
  take(name: string): StateLoader {
    const id = this.#ids.get(name);
    const loader = this.#isComplete(id) ? this.#loaders.get(id) : undefined;
    if (loader === undefined) throw new Error(`the store ${name} is still being loaded`);
    this.#loaders.delete(loader.store.id);
    return loader;
  }

  #isComplete(id: number | undefined): id is number {
    return id !== undefined && id < this.#arriving;
  }
}
