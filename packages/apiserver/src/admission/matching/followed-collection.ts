import type { KubeObject } from '@flotilla/kube';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Cursor, Store } from '../../store/store.ts';

/**
 * The objects of a cluster-scoped collection, each parsed once. It reads pending events on every query, so that a caller that
 * has seen a change is subject to it.
 */
export class FollowedCollection<T> {
  readonly #store: Store;
  readonly #collection: string;
  readonly #parse: (object: KubeObject) => T;
  readonly #items = new Map<string, T>();
  #cursor: Cursor | undefined;
  #changes = 0;

  constructor(store: Store, collection: string, parse: (object: KubeObject) => T) {
    this.#store = store;
    this.#collection = collection;
    this.#parse = parse;
  }

  /** By name, in no order. As of the last call of `refresh`. */
  get items(): ReadonlyMap<string, T> {
    return this.#items;
  }

  /** Reads what has changed. The number grows with every change. */
  refresh(): number {
    const cursor = this.#cursor;
    if (!cursor) return this.#load();
    for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
      if (event === 'compacted') return this.#load();
      const { type, entry } = event;
      this.#changes++;
      if (type === 'put') this.#items.set(entry.key.name, this.#parse(decodeStored(entry.bytes)));
      else this.#items.delete(entry.key.name);
    }
    return this.#changes;
  }

  #load(): number {
    this.#cursor?.close();
    const snapshot = this.#store.snapshot();
    this.#items.clear();
    for (const { key, bytes } of snapshot.range(this.#collection, '')) {
      this.#items.set(key.name, this.#parse(decodeStored(bytes)));
    }
    const cursor = this.#store.watch({ collection: this.#collection, prefix: '' }, snapshot.revision);
    if (cursor === 'compacted') throw new Error('cannot watch from the newest revision: it is compacted');
    this.#cursor = cursor;
    return ++this.#changes;
  }
}
