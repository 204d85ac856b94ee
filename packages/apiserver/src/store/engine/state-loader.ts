import type { Index } from '../index/history.ts';
import { LogEvent } from '../log/log-event.ts';
import { bytesOfRow, type LogRows } from '../sqlite/log-rows.ts';
import { orderKey } from '../index/order-key.ts';
import { OrderedMap } from '../index/ordered-map.ts';
import type { StartingState } from '../index/indexed-store.ts';
import type { FoundStore } from '../sqlite/sqlite-messages.ts';
import type { Entry, Header } from '../store.ts';

/** Rebuilds one store from its log: rows in the order they were written, objects left unparsed. */
export class StateLoader {
  readonly store: FoundStore;
  readonly #base: StateLoader | undefined;
  /** What the log says of each key; undefined for one that the base has and that is gone. */
  readonly #entries = new Map<string, Entry | undefined>();
  readonly #events: LogEvent[] = [];
  #index: Index | undefined;

  /** Rows of the store that this one started from come before its own. */
  constructor(store: FoundStore, base?: StateLoader) {
    this.store = store;
    this.#base = base;
  }

  add(rows: LogRows, index: number): void {
    const entry = entryOf(rows, index);
    const place = orderKey(entry.key);
    const type = rows.deleted[index] ? 'delete' : 'put';
    if (entry.revision > this.store.compacted) {
      const event = new LogEvent(type, place, entry, this.#entryAt(place));
      event.publishedAt = rows.times[index]!;
      this.#events.push(event);
    }
    if (type === 'put') this.#entries.set(place, entry);
    else if (this.#base) this.#entries.set(place, undefined);
    else this.#entries.delete(place);
  }

  finish(): StartingState {
    return {
      index: this.index,
      revision: this.store.revision,
      events: this.#events,
      compactedRevision: this.store.compacted,
    };
  }

  /** When all rows are there. */
  get index(): Index {
    return (this.#index ??= this.#base ? this.#onTopOf(this.#base.index) : this.#alone());
  }

  #entryAt(place: string): Entry | undefined {
    return this.#entries.has(place) ? this.#entries.get(place) : this.#base?.index.get(place);
  }

  #alone(): Index {
    const places = [...this.#entries.keys()].sort();
    const entries = places.map((place) => this.#entries.get(place)!);
    return OrderedMap.fromSorted(places, entries);
  }

  #onTopOf(base: Index): Index {
    let index = base;
    for (const [place, entry] of this.#entries) index = entry ? index.set(place, entry) : index.delete(place);
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
