/**
 * The store of every engine: an index in memory, its history, and the writes that are accepted but not yet visible.
 * Engines differ only in the journal, which decides when a write is durable.
 */
import type { Clock } from '@flotilla/timing';
import { History, type Index } from './history.ts';
import { LogCursor } from '../log/log-cursor.ts';
import { LogEvent } from '../log/log-event.ts';
import { orderKey, orderRange } from './order-key.ts';
import { OrderedMap } from './ordered-map.ts';
import type { Retention } from '../log/retention.ts';
import { RevisionWaiters } from './revision-waiters.ts';
import {
  StoreConflict,
  StoreUnavailable,
  type Accepted,
  type Committed,
  type Cursor,
  type Entry,
  type Key,
  type Snapshot,
  type Store,
  type WatchScope,
  type Write,
} from '../store.ts';

/** Makes transactions durable in order, then commits and resolves each; or aborts it and all after it. */
export interface Journal {
  append(transaction: Transaction): void;
  /** Why the storage refuses these events now. Called before they are accepted. */
  refusal?(events: readonly LogEvent[]): StoreUnavailable | undefined;
}

export interface Transaction {
  readonly events: readonly LogEvent[];
  /** Makes its events visible. */
  commit(): void;
  /** Resolves the promise of its caller. Call it after `commit`. */
  resolve(): void;
  abort(error: Error): void;
}

interface IndexedStoreOptions {
  /** Without one, a write is visible before `accept` returns. */
  readonly journal?: Journal;
  readonly clock: Clock;
  readonly retention: Retention;
}

/** The initial content of a store: empty, read from disk, or a snapshot of another store. */
export interface StartingState {
  readonly index: Index;
  readonly revision: number;
  /** Recent events in order, all after `compactedRevision`. `index` includes them. */
  readonly events: readonly LogEvent[];
  readonly compactedRevision: number;
}

/** 40 bytes each, for as many entries as are in use at once on a busy hub. */
const maxRecent = 8192;

export const emptyState: StartingState = { index: OrderedMap.empty(), revision: 0, events: [], compactedRevision: 0 };

/** The content of a snapshot, without its history. */
export function stateOf(snapshot: Snapshot | undefined): StartingState {
  if (snapshot === undefined) return emptyState;
  if (!(snapshot instanceof IndexSnapshot)) throw new TypeError('only snapshots of the stores here can be forked');
  const { index, revision } = snapshot;
  return { index, revision, events: [], compactedRevision: revision };
}

/** A version of the index with its revision. Later writes do not change it. */
class IndexSnapshot implements Snapshot {
  readonly revision: number;
  readonly index: Index;

  constructor(revision: number, index: Index) {
    this.revision = revision;
    this.index = index;
  }

  get(key: Key): Entry | undefined {
    return this.index.get(orderKey(key));
  }

  entries(): Iterable<Entry> {
    return this.index.values();
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

export class IndexedStore implements Store {
  readonly #journal: Journal | undefined;
  readonly #clock: Clock;
  readonly #history: History;
  readonly #waiters = new RevisionWaiters();
  /** The newest accepted change of each key that has a pending write. */
  readonly #accepted = new Map<string, LogEvent>();
  /** Entries of the index that were written or read lately. */
  readonly #recent = new Map<string, Entry>();
  #acceptedRevision: number;
  #index: Index;
  #revision: number;
  #isFrozen = false;

  constructor({ journal, clock, retention }: IndexedStoreOptions, start: StartingState = emptyState) {
    this.#journal = journal;
    this.#clock = clock;
    this.#index = start.index;
    this.#revision = start.revision;
    this.#acceptedRevision = start.revision;
    this.#history = new History(retention, start.compactedRevision);
    for (const event of start.events) this.#history.append(event, undefined);
    this.#history.trim(clock.now());
  }

  /** Refuses writes from now on, and returns the content for a store that starts from this one. */
  freeze(): StartingState {
    if (this.#accepted.size > 0) throw new Error('nothing can start from a store that is being written');
    this.#isFrozen = true;
    return stateOf(this.snapshot());
  }

  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  get revision(): number {
    return this.#revision;
  }

  get compactedRevision(): number {
    return this.#history.compactedRevision;
  }

  snapshot(): IndexSnapshot {
    return new IndexSnapshot(this.#revision, this.#index);
  }

  snapshotAt(revision: number): IndexSnapshot | 'compacted' {
    if (revision > this.#revision) throw new RangeError(`revision ${revision} is above ${this.#revision}`);
    const index = this.#history.indexAt(revision, this.#index);
    return index === 'compacted' ? 'compacted' : new IndexSnapshot(revision, index);
  }

  get(key: Key): Entry | undefined {
    return this.#find(orderKey(key));
  }

  newest(key: Key): Entry | undefined {
    return this.#newestAt(orderKey(key));
  }

  async settled(key?: Key): Promise<void> {
    const journal = this.#journal;
    if (!journal || (key ? !this.#accepted.has(orderKey(key)) : this.#accepted.size === 0)) return;
    // Transactions settle in order, so an empty one settles after all that was accepted before it.
    await new Promise<void>((resolve, reject) => {
      journal.append({ events: [], commit: () => undefined, resolve, abort: reject });
    });
  }

  async write(writes: readonly Write[]): Promise<readonly Committed[]> {
    return this.accept(writes).committed;
  }

  accept(writes: readonly Write[]): Accepted {
    if (this.#isFrozen) throw new StoreUnavailable('other stores start from this one, so it does not change any more');
    const events = this.#accept(writes);
    if (events instanceof StoreUnavailable) return { committed: Promise.reject(events) };
    const entries = events.map(({ entry }) => entry);
    return { entries, committed: events.length === 0 ? events : this.#commit(events) };
  }

  #commit(events: readonly LogEvent[]): Accepted['committed'] {
    const journal = this.#journal;
    if (!journal) {
      this.#publish(events);
      return events;
    }
    for (const event of events) this.#accepted.set(event.orderKey, event);
    return new Promise((resolve, reject) => {
      journal.append({
        events,
        commit: () => this.#publish(events),
        resolve: () => resolve(events),
        abort: (error) => {
          for (const event of events) this.#accepted.delete(event.orderKey);
          reject(error);
        },
      });
    });
  }

  watch(scope: WatchScope | 'all', afterRevision: number): Cursor | 'compacted' {
    if (afterRevision < this.#history.compactedRevision) return 'compacted';
    const log = scope === 'all' ? this.#history.all : this.#history.collection(scope.collection);
    return new LogCursor(log, scope === 'all' ? '' : scope.prefix, afterRevision, () => this.#revision);
  }

  compact(revision: number): void {
    this.#history.compact(Math.min(revision, this.#revision));
  }

  /** Drops history that has grown too old; writes do so too. */
  trim(): void {
    this.#history.trim(this.#clock.now());
  }

  async waitFor(revision: number, signal: AbortSignal): Promise<void> {
    if (revision > this.#revision) await this.#waiters.wait(revision, signal);
  }

  count(collection: string, prefix?: string): number {
    return this.snapshot().count(collection, prefix);
  }

  /** Checks before it encodes, so that no encoder runs for a write that is refused. */
  #accept(writes: readonly Write[]): readonly LogEvent[] | StoreUnavailable {
    const indexKeys = writes.map(({ key }) => orderKey(key));
    if (indexKeys.length > 1 && new Set(indexKeys).size < indexKeys.length)
      throw new TypeError('a key may be written once in a transaction');
    const before = writes.map((write, position) => this.#check(write, indexKeys[position]!));
    const events = writes.map((write, position) =>
      eventOf(write, indexKeys[position]!, this.#acceptedRevision + 1 + position, before[position]),
    );
    const refusal = this.#journal?.refusal?.(events);
    if (refusal) return refusal;
    this.#acceptedRevision += events.length;
    return events;
  }

  #check({ key, expected }: Write, indexKey: string): Entry | undefined {
    const newest = this.#newestAt(indexKey);
    const actual = newest?.revision ?? 0;
    if (actual !== expected) throw new StoreConflict(key, actual);
    return newest;
  }

  #newestAt(indexKey: string): Entry | undefined {
    const accepted = this.#accepted.get(indexKey);
    if (accepted === undefined) return this.#find(indexKey);
    return accepted.type === 'put' ? accepted.entry : undefined;
  }

  /** A write looks for its key three times, and its event makes controllers read it: a tree is slower than a hash table. */
  #find(indexKey: string): Entry | undefined {
    const recent = this.#recent.get(indexKey);
    if (recent !== undefined) return recent;
    const entry = this.#index.get(indexKey);
    if (entry !== undefined) this.#remember(indexKey, entry);
    return entry;
  }

  #remember(indexKey: string, entry: Entry): void {
    if (this.#recent.size >= maxRecent) this.#recent.clear();
    this.#recent.set(indexKey, entry);
  }

  #publish(events: readonly LogEvent[]): void {
    const now = this.#clock.now();
    for (const event of events) {
      event.publishedAt = now;
      if (this.#accepted.get(event.orderKey) === event) this.#accepted.delete(event.orderKey);
      const { type, orderKey: indexKey, entry } = event;
      this.#index = type === 'put' ? this.#index.set(indexKey, entry) : this.#index.delete(indexKey);
      if (type === 'put') this.#remember(indexKey, entry);
      else this.#recent.delete(indexKey);
      this.#revision = event.revision;
      this.#history.append(event, this.#index);
    }
    this.#history.trim(now);
    this.#waiters.advanceTo(this.#revision);
  }
}

function eventOf(write: Write, indexKey: string, revision: number, previous: Entry | undefined): LogEvent {
  const bytes = write.encode(revision);
  const { key } = write;
  if (write.verb === 'put') {
    const createRevision = previous?.createRevision ?? revision;
    const entry = { key, header: write.header, bytes, createRevision, revision, decoded: undefined };
    return new LogEvent('put', indexKey, entry, previous);
  }
  if (previous === undefined)
    throw new TypeError(`${key.collection}/${key.name} cannot be deleted: expected must not be 0`);
  return new LogEvent('delete', indexKey, { ...previous, bytes, revision, decoded: undefined }, previous);
}
