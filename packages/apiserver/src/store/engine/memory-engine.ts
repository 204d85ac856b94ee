import type { Clock } from '@flotilla/timing';
import { IndexedStore, stateOf } from '../index/indexed-store.ts';
import { SharedRetention, type Retention } from '../log/retention.ts';
import { StoreUnavailable, type Snapshot, type StorageEngine, type Store } from '../store.ts';

interface MemoryEngineOptions {
  readonly clock: Clock;
  readonly retention: Retention;
}

/** Stores without a disk. */
export function memoryEngine(options: MemoryEngineOptions): StorageEngine {
  const stores = new Map<string, IndexedStore>();
  const retentionOfCopies = new SharedRetention(options.retention);
  const open = (name: string, start?: Snapshot | string): IndexedStore => {
    const known = stores.get(name);
    if (known !== undefined) return known;
    const isCopy = typeof start === 'string';
    const state = isCopy ? open(start).freeze() : stateOf(start);
    const retention = isCopy ? retentionOfCopies.forOneMore() : options.retention;
    const store = new IndexedStore({ ...options, retention }, state);
    stores.set(name, store);
    return store;
  };
  return {
    store: open,
    loaded: Promise.resolve(),
    has: (name) => stores.has(name),
    names: () => stores.keys(),
    backup: async () => {
      throw new StoreUnavailable('a server that runs in memory has nothing on disk to back up');
    },
    close: async () => stores.clear(),
  };
}

/** An independent store with the content and the revision of the snapshot, without its history. Costs one reference. */
export function forkStore(snapshot: Snapshot, options: MemoryEngineOptions): Store {
  return new IndexedStore(options, stateOf(snapshot));
}
