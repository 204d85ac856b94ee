import { LogEvent } from './log-event.ts';
import { bytesOfRow, type LogRows } from './log-rows.ts';
import { orderKey } from './order-key.ts';
import { OrderedMap } from './ordered-map.ts';
import type { StartingState } from './indexed-store.ts';
import type { FoundStore } from './sqlite-messages.ts';
import type { Entry, Header } from './store.ts';

/** Rebuilds one store from its log: rows in the order they were written, objects left unparsed. */
export class StateLoader {
  readonly store: FoundStore;
  readonly #entries = new Map<string, Entry>();
  readonly #events: LogEvent[] = [];

  constructor(store: FoundStore) {
    this.store = store;
  }

  add(rows: LogRows, index: number): void {
    const entry = entryOf(rows, index);
    const place = orderKey(entry.key);
    const type = rows.deleted[index] ? 'delete' : 'put';
    if (entry.revision > this.store.compacted) {
      const event = new LogEvent(type, place, entry, this.#entries.get(place));
      event.publishedAt = rows.times[index]!;
      this.#events.push(event);
    }
    if (type === 'put') this.#entries.set(place, entry);
    else this.#entries.delete(place);
  }

  finish(): StartingState {
    const places = [...this.#entries.keys()].sort();
    const entries = places.map((place) => this.#entries.get(place)!);
    return {
      index: OrderedMap.fromSorted(places, entries),
      revision: this.store.revision,
      events: this.#events,
      compactedRevision: this.store.compacted,
    };
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
