import type { Index } from './history.ts';
import { orderKey, orderRange } from './order-key.ts';
import type { Entry, Key, Snapshot } from '../store.ts';

/** A version of the index with its revision. Later writes do not change it. */
export class IndexSnapshot implements Snapshot {
  readonly revision: number;
  readonly index: Index;

  constructor(revision: number, index: Index) {
    this.revision = revision;
    this.index = index;
  }

  get(key: Key): Entry | undefined {
    return this.index.get(orderKey(key));
  }

  range(collection: string, prefix: string, start?: string): Iterable<Entry> {
    const { low, high } = orderRange(collection, prefix, start);
    return this.index.range(low, high);
  }

  count(collection: string, prefix = '', start?: string): number {
    const { low, high } = orderRange(collection, prefix, start);
    return this.index.countRange(low, high);
  }
}
