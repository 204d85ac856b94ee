import type { KubeObject } from '@flotilla/kube';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Cursor, Entry, Store } from '../store/store.ts';

/** An object as plugins use it. */
export interface Stored<Value> {
  readonly entry: Entry;
  readonly value: Value;
}

/**
 * The few objects of a namespace that plugins read for every write: quotas, limits. Their names follow the store's events, so that
 * a write in a namespace without any pays one lookup. The objects are the newest accepted ones, each parsed once.
 */
export class NamespacedObjects<Value> {
  readonly #store: Store;
  readonly #collection: string;
  readonly #parse: (object: KubeObject) => Value;
  /** By their bytes. */
  readonly #parsed = new WeakMap<Uint8Array, { readonly value: Value }>();
  /** Keys by namespace. */
  #names = new Map<string, Set<string>>();
  #cursor: Cursor | undefined;

  constructor(store: Store, collection: string, parse: (object: KubeObject) => Value) {
    this.#store = store;
    this.#collection = collection;
    this.#parse = parse;
  }

  /** Sorted by name. */
  in(namespace: string): readonly Stored<Value>[] {
    const names = this.#current().get(namespace);
    return names === undefined ? none : [...names].toSorted().flatMap((name) => this.#find(name) ?? []);
  }

  /** The size of all objects of a namespace. */
  bytesIn(namespace: string): number {
    const names = this.#current().get(namespace);
    if (names === undefined) return 0;
    return names.values().reduce((sum, name) => sum + (this.#entry(name)?.bytes.length ?? 0), 0);
  }

  /** Remembers what these bytes say, so that the next write need not parse them. */
  remember(bytes: Uint8Array, value: Value): void {
    this.#parsed.set(bytes, { value });
  }

  #find(name: string): Stored<Value> | undefined {
    const entry = this.#entry(name);
    if (entry === undefined) return undefined;
    let parsed = this.#parsed.get(entry.bytes);
    if (!parsed) this.#parsed.set(entry.bytes, (parsed = { value: this.#parse(decodeStored(entry.bytes)) }));
    return { entry, value: parsed.value };
  }

  #entry(name: string): Entry | undefined {
    return this.#store.newest({ collection: this.#collection, name });
  }

  #current(): ReadonlyMap<string, ReadonlySet<string>> {
    if (this.#cursor === undefined) return this.#load();
    for (let event = this.#cursor.next(); event !== undefined; event = this.#cursor.next()) {
      if (event === 'compacted') return this.#load();
      this.#note(event.entry.key.name, event.type === 'put');
    }
    return this.#names;
  }

  #load(): ReadonlyMap<string, ReadonlySet<string>> {
    this.#cursor?.close();
    this.#names = new Map();
    const collection = this.#collection;
    const snapshot = this.#store.snapshot();
    for (const { key } of snapshot.range(collection, '')) this.#note(key.name, true);
    const cursor = this.#store.watch({ collection, prefix: '' }, snapshot.revision);
    if (cursor === 'compacted') throw new Error('cannot watch from the newest revision: it is compacted');
    this.#cursor = cursor;
    return this.#names;
  }

  #note(name: string, exists: boolean): void {
    const namespace = name.slice(0, name.indexOf('/'));
    const names = this.#names.get(namespace) ?? new Set();
    if (exists) names.add(name);
    else names.delete(name);
    if (names.size > 0) this.#names.set(namespace, names);
    else this.#names.delete(namespace);
  }
}

const none: readonly never[] = [];
