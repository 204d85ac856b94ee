/**
 * The contract of a store: ordered keys, one revision counter, compare-and-swap, history for watches.
 *
 * An entry is the object's JSON, exactly as it goes over the wire, and a small header. The header has all that lists,
 * watches and controllers filter by, so that no filter parses JSON.
 *
 * A write is checked against the newest *accepted* state and takes its revision at once. When it is durable, it becomes
 * *visible*: to its caller, to reads and to watches together. If a batch of writes fails, everything accepted on top of it
 * fails too, and the accepted state returns to the visible one.
 */
export interface Store {
  /** Newest visible revision. Never decreases, not even over a restart. */
  readonly revision: number;

  /** Whether another store started from this one: it then refuses writes. */
  readonly isFrozen: boolean;

  /** The visible state. O(1): the index is copy-on-write. */
  snapshot(): Snapshot;

  /** The visible state at a past revision; `compacted` if history no longer reaches it. `revision` must not be in the future. */
  snapshotAt(revision: number): Snapshot | 'compacted';

  /** Visible entry, for GET. */
  get(key: Key): Entry | undefined;

  /** Newest accepted entry, perhaps not yet durable. Writes are computed from it. */
  newest(key: Key): Entry | undefined;

  /**
   * Resolves when what `newest` returns for the key is visible; without a key, when all accepted writes are. Rejects with
   * `StoreUnavailable` if they were lost instead. A response that reports a state without writing waits for this, because
   * a crash could still undo an accepted write.
   */
  settled(key?: Key): Promise<void>;

  /**
   * Accepts all of the writes or none. Checks them and assigns revisions before it returns, so no other write comes
   * between. The promise settles when the writes are visible. Writes of one call take consecutive revisions.
   * A key may be written once in a call.
   * Rejects with `StoreConflict` (nothing accepted) or `StoreUnavailable` (the disk refused, nothing is kept).
   */
  write(writes: readonly Write[]): Promise<readonly Committed[]>;

  /** Like `write`, but throws a conflict synchronously. The returned promise waits for the disk only. */
  accept(writes: readonly Write[]): Accepted;

  /**
   * Events of a collection, or of all, after `afterRevision`, in order. Returns `compacted` if history does not reach back so far.
   * A cursor costs nothing while its owner does not read.
   */
  watch(scope: WatchScope | 'all', afterRevision: number): Cursor | 'compacted';

  /** Oldest revision after which a watch can start. */
  readonly compactedRevision: number;

  /** Drops history up to `revision`; visible state stays. */
  compact(revision: number): void;

  /** Resolves when `revision` is visible. For requests that name a revision of the near future. */
  waitFor(revision: number, signal: AbortSignal): Promise<void>;

  /** Number of objects in a collection, without iterating. */
  count(collection: string, prefix?: string): number;
}

/** `collection` is one kind's storage ("apps/deployments", "core/configmaps"); `name` is "namespace/name" or "name". */
export interface Key {
  readonly collection: string;
  readonly name: string;
}

/** All that filters need, so that they do not parse the object. Kept small: absent means empty. */
export interface Header {
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Selectable fields beyond metadata.name and metadata.namespace, by their field-selector label. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly ownerUids?: readonly string[];
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
  /** Identifies the schema rules under which the object was stored. Its bytes can be sent as they are if the rules still hold. */
  readonly mark?: string;
}

export interface Entry {
  readonly key: Key;
  readonly header: Header;
  /** The object's JSON with its resourceVersion inside. Immutable. */
  readonly bytes: Uint8Array;
  readonly createRevision: number;
  readonly revision: number;
  /** The object, left here for later readers by [shared-objects](../representation/shared-objects.ts). Stores ignore it. */
  decoded?: object | undefined;
}

export type Write = Put | Delete;

export interface Put {
  readonly verb: 'put';
  readonly key: Key;
  /** Revision that the newest accepted entry must have; 0: must not exist. */
  readonly expected: number;
  readonly header: Header;
  /** Called once, with the revision of the write, before `write` returns. */
  readonly encode: (revision: number) => Uint8Array;
}

export interface Delete {
  readonly verb: 'delete';
  readonly key: Key;
  readonly expected: number;
  /** The deleted object, with the deletion's revision as resourceVersion, for DELETED events. */
  readonly encode: (revision: number) => Uint8Array;
}

export interface Accepted {
  /** The entries of the writes, not visible yet. Absent if the store is in another thread, or refuses the writes. */
  readonly entries?: readonly Entry[];
  /** No promise if the writes are durable and visible at once. */
  readonly committed: readonly Committed[] | Promise<readonly Committed[]>;
}

export interface Committed {
  readonly revision: number;
  /** The new entry, or for a delete the last one with the deletion's revision and bytes. */
  readonly entry: Entry;
}

export interface Snapshot {
  readonly revision: number;
  get(key: Key): Entry | undefined;
  /** All entries, by collection. */
  entries(): Iterable<Entry>;
  /** Entries whose name starts with `prefix` (empty: all), from `start` (inclusive) on, in byte order of their names. */
  range(collection: string, prefix: string, start?: string): Iterable<Entry>;
  /** Number of entries that `range` would return, without iterating. */
  count(collection: string, prefix?: string, start?: string): number;
}

export interface WatchScope {
  readonly collection: string;
  /** "namespace/" for one namespace, "" for all. A cursor is woken only by events inside its scope. */
  readonly prefix: string;
}

export interface StoreEvent {
  readonly revision: number;
  readonly type: 'put' | 'delete';
  /** State after the event; for a delete, the last state with the deletion's revision. */
  readonly entry: Entry;
  /** State before the event; undefined for a create. */
  readonly previous: Entry | undefined;
  /** Wire forms of this event, encoded once and shared by all watches. The encoder chooses the keys. */
  readonly encoded: Map<string, Uint8Array>;
}

/** A position in the shared log. It holds no events, so a slow reader costs no memory. */
export interface Cursor {
  /** Next event in scope, `undefined` when caught up, `compacted` when history has moved past this cursor. */
  next(): StoreEvent | undefined | 'compacted';
  /** Calls the listener once when an event arrives after `next` returned `undefined`. */
  onReady(listener: () => void): void;
  /** All events up to here were delivered or were out of scope. A bookmark may have this revision. */
  readonly revision: number;
  close(): void;
}

export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  readonly key: Key;
  /** Newest accepted revision of the key, 0 if it does not exist. */
  readonly actual: number;

  constructor(key: Key, actual: number) {
    super(`${key.collection}/${key.name} is at revision ${actual}`);
    this.key = key;
    this.actual = actual;
  }
}

/** The storage could not take the write and kept nothing of it. Reads continue; a retry may succeed. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The disk has no room for the write. Writes that need no more room are still stored. */
export class StoreFull extends StoreUnavailable {}

/** Stores that share one file, one worker and one group commit. */
export interface StorageEngine {
  /**
   * Opens or creates the store of that name. Each has its own keys, revisions and log. A new store starts empty, with the
   * content of a snapshot, or with the content of the named store. The last costs one reference, in memory and on disk, and
   * freezes the named store. Stores that start so are many: they share the history that one store may keep.
   */
  store(name: string, start?: Snapshot | string): Store;
  has(name: string): boolean;
  /** Resolves when all stores can be opened, also if the engine opened with the first of them. Rejects if the file turns out to be damaged. */
  readonly loaded: Promise<void>;
  /** All stores in the order of their creation. */
  names(): Iterable<string>;
  /** Copies everything that is durable now into a new file. The engine keeps running. */
  backup(file: string): Promise<void>;
  /** Flushes, releases the lock, stops the worker. */
  close(): Promise<void>;
}
