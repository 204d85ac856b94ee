import type { Index } from '../index/history.ts';
import { LogEvent } from '../log/log-event.ts';
import { bytesOfRow, type LogRows } from '../sqlite/log-rows.ts';
import { orderKey } from '../index/order-key.ts';
import { OrderedMap } from '../index/ordered-map.ts';
import type { StartingState } from '../index/indexed-store.ts';
import type { FoundStore } from '../sqlite/sqlite-messages.ts';
import type { Entry, Header } from '../store.ts';

/** Rebuilds one store from its log: rows in the order of writing, objects unparsed. */
export class StateLoader {
  readonly store: FoundStore;
  readonly #base: StateLoader | undefined;
  /** The last state of each key in the log; undefined for a key of the base that was deleted. */
  readonly #entries = new Map<string, Entry | undefined>();
  readonly #events: LogEvent[] = [];
  #index: Index | undefined;

  /** Rows of the base store must be added before this store's. */
  constructor(store: FoundStore, base?: StateLoader) {
    this.store = store;
    this.#base = base;
  }

  add(rows: LogRows, index: number): void {
    const entry = entryOf(rows, index);
    const indexKey = orderKey(entry.key);
    const type = rows.deleted[index] ? 'delete' : 'put';
    if (entry.revision > this.store.compacted) {
      const event = new LogEvent(type, indexKey, entry, this.#entryAt(indexKey));
      event.publishedAt = rows.times[index]!;
      this.#events.push(event);
    }
    if (type === 'put') this.#entries.set(indexKey, entry);
    else if (this.#base) this.#entries.set(indexKey, undefined);
    else this.#entries.delete(indexKey);
  }

  finish(): StartingState {
    return {
      index: this.index,
      revision: this.store.revision,
      events: this.#events,
      compactedRevision: this.store.compacted,
    };
  }

  /** Complete once all rows are added. */
  get index(): Index {
    return (this.#index ??= this.#base ? this.#onTopOf(this.#base.index) : this.#alone());
  }

  #entryAt(indexKey: string): Entry | undefined {
    return this.#entries.has(indexKey) ? this.#entries.get(indexKey) : this.#base?.index.get(indexKey);
  }

  #alone(): Index {
    const indexKeys = [...this.#entries.keys()].sort();
    const entries = indexKeys.map((indexKey) => this.#entries.get(indexKey)!);
    return OrderedMap.fromSorted(indexKeys, entries);
  }

  #onTopOf(base: Index): Index {
    let index = base;
    for (const [indexKey, entry] of this.#entries) index = entry ? index.set(indexKey, entry) : index.delete(indexKey);
    return index;
  }
}

function entryOf(rows: LogRows, index: number): Entry {
  return {
    key: { collection: rows.collections[index]!, name: rows.names[index]! },
    header: JSON.parse(rows.headers[index]!) as Header,
    bytes: bytesOfRow(rows, index),
    createRevision: rows.createRevisions[index]!,
    revision: rows.revisions[index]!,
  };
}
