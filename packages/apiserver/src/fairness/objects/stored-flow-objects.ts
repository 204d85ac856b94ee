import { decodeStored } from '../../resources/object-bytes.ts';
import type { Cursor, Entry, Store, StoreEvent } from '../../store/store.ts';
import {
  flowSchemaOf,
  flowSchemasCollection,
  levelSpecOf,
  priorityLevelsCollection,
  type FlowSchema,
  type LevelSpec,
} from './flow-objects.ts';

/** Reads the flow control objects in the store, and calls `changed` when one changes. */
export class StoredFlowObjects {
  readonly #store: Store;
  readonly #cursors = new Set<Cursor>();

  constructor(store: Store) {
    this.#store = store;
  }

  schemas(): FlowSchema[] {
    return this.#entries(flowSchemasCollection).map(({ bytes, header }) =>
      flowSchemaOf(decodeStored(bytes), header.uid),
    );
  }

  levels(): LevelSpec[] {
    return this.#entries(priorityLevelsCollection).map(({ bytes, header }) =>
      levelSpecOf(decodeStored(bytes), header.uid),
    );
  }

  /** The uids of a schema and of a level, without parsing them. */
  uidsOf(schema: string, level: string): { readonly schema: string; readonly level: string } {
    return {
      schema: this.#store.get({ collection: flowSchemasCollection, name: schema })?.header.uid ?? '',
      level: this.#store.get({ collection: priorityLevelsCollection, name: level })?.header.uid ?? '',
    };
  }

  /** After a compaction the events are unknown: `changed` gets none. */
  follow(changed: (event: StoreEvent | undefined) => void): void {
    for (const collection of [flowSchemasCollection, priorityLevelsCollection]) this.#follow(collection, changed);
  }

  stop(): void {
    for (const cursor of this.#cursors) cursor.close();
    this.#cursors.clear();
  }

  #entries(collection: string): Entry[] {
    return [...this.#store.snapshot().range(collection, '')];
  }

  #follow(collection: string, changed: (event: StoreEvent | undefined) => void): void {
    const cursor = this.#store.watch({ collection, prefix: '' }, this.#store.revision);
    if (cursor === 'compacted') throw new Error('cannot watch from the newest revision: it is compacted');
    this.#cursors.add(cursor);
    const pull = (): void => {
      if (!this.#cursors.has(cursor)) return;
      for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
        if (event === 'compacted') {
          this.#cursors.delete(cursor);
          cursor.close();
          changed(undefined);
          this.#follow(collection, changed);
          return;
        }
        changed(event);
      }
      cursor.onReady(pull);
    };
    pull();
  }
}
