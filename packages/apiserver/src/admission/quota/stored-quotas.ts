import { parseAmounts, scopesOf, type Amounts, type QuotaFields } from '@flotilla/builtins';
import type { KubeObject } from '@flotilla/kube';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Cursor, Entry, Store } from '../../store/store.ts';
import type { CountedQuota } from './decide-charges.ts';

export const quotaCollection = 'resourcequotas';

interface ParsedQuota extends CountedQuota {
  readonly object: Readonly<KubeObject>;
}

export interface StoredQuota extends ParsedQuota {
  readonly entry: Entry;
}

/**
 * The quotas of each namespace. The names follow the store's events, so that a write in a namespace without quotas pays one
 * lookup. The quotas themselves are the newest accepted ones: they include the charges of writes in flight.
 */
export class StoredQuotas {
  readonly #store: Store;
  #names = new Map<string, Set<string>>();
  /** By their bytes. */
  readonly #parsed = new WeakMap<Uint8Array, ParsedQuota>();
  #cursor: Cursor | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Sorted by name. */
  in(namespace: string): readonly StoredQuota[] {
    const names = this.#current().get(namespace);
    if (names === undefined) return none;
    return [...names].toSorted().flatMap((name) => {
      const entry = this.#store.newest({ collection: quotaCollection, name: `${namespace}/${name}` });
      return entry === undefined ? [] : this.#quotaOf(name, entry);
    });
  }

  /** The size of the quotas of a namespace. A write reads and may write all of them. */
  bytesIn(namespace: string): number {
    let bytes = 0;
    for (const name of this.#current().get(namespace) ?? []) {
      bytes += this.#store.newest({ collection: quotaCollection, name: `${namespace}/${name}` })?.bytes.length ?? 0;
    }
    return bytes;
  }

  /** Remembers the quota of which these are the bytes, so that the next write need not parse it. */
  remember(bytes: Uint8Array, { name, scopes, hard }: CountedQuota, used: Amounts, object: KubeObject): void {
    this.#parsed.set(bytes, { name, scopes, hard, used, object });
  }

  #quotaOf(name: string, entry: Entry): StoredQuota {
    let quota = this.#parsed.get(entry.bytes);
    if (!quota) this.#parsed.set(entry.bytes, (quota = parse(name, entry)));
    return { ...quota, entry };
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
    const snapshot = this.#store.snapshot();
    for (const { key } of snapshot.range(quotaCollection, '')) this.#note(key.name, true);
    const cursor = this.#store.watch({ collection: quotaCollection, prefix: '' }, snapshot.revision);
    if (cursor === 'compacted') throw new Error('cannot watch from the newest revision: it is compacted');
    this.#cursor = cursor;
    return this.#names;
  }

  #note(storedAs: string, exists: boolean): void {
    const slash = storedAs.indexOf('/');
    const namespace = storedAs.slice(0, slash);
    const names = this.#names.get(namespace) ?? new Set();
    if (exists) names.add(storedAs.slice(slash + 1));
    else names.delete(storedAs.slice(slash + 1));
    if (names.size > 0) this.#names.set(namespace, names);
    else this.#names.delete(namespace);
  }
}

const none: readonly StoredQuota[] = [];

function parse(name: string, entry: Entry): ParsedQuota {
  const object = decodeStored(entry.bytes);
  const { spec, status } = object as QuotaFields;
  return {
    name,
    object,
    scopes: scopesOf({ ...(spec && { spec }) }),
    hard: parseAmounts(status?.hard),
    used: parseAmounts(status?.used),
  };
}
