/**
 * What the API server asks of a store: ordered keys, one revision counter, compare-and-swap, history for watches.
 *
 * Objects are bytes first. An entry is the object's JSON, exactly as it goes over the wire, beside a small header with all
 * that lists, watches and controllers filter by, so that nothing is parsed to find what to send.
 *
 * A write is checked against the newest *accepted* state, takes its revision at once, and becomes *visible* to its caller,
 * to reads and to watches together, when it is durable. If a batch of writes fails, everything accepted on top of it fails
 * too, and the accepted state returns to the visible one.
 */
export interface Store {
  /** Newest visible revision. Never goes back, not even over a restart. */
  readonly revision: number;

  /** Whether other stores started from this one: it takes no more writes. */
  readonly isFrozen: boolean;

  /** The visible state now. O(1): the index is copy-on-write. */
  snapshot(): Snapshot;

  /** The visible state as it was; `compacted` when history no longer reaches that far. Revision must not be above `revision`. */
  snapshotAt(revision: number): Snapshot | 'compacted';

  /** Visible entry; what a GET sends. */
  get(key: Key): Entry | undefined;

  /** Newest accepted entry, perhaps not yet durable; what a write is computed from. */
  newest(key: Key): Entry | undefined;

  /**
   * Resolves when what `newest` shows of the key is visible to everybody; rejects with `StoreUnavailable` when it was lost
   * instead. Without a key: all that is accepted now. For answers that tell of a state without writing: nobody may be told what a crash could still take back.
   */
  settled(key?: Key): Promise<void>;

  /**
   * Accepts all of the writes or none. The check and the assignment of revisions happen before this returns, so no other
   * write comes between; the promise settles when the writes are visible. Writes of one call take consecutive revisions.
   * A key may be written once in a call.
   * Rejects with `StoreConflict` (nothing accepted), or `StoreUnavailable` (the disk refused; nothing of it is kept).
   */
  write(writes: readonly Write[]): Promise<readonly Committed[]>;

  /** The same for those who have two things to wait for: a conflict is thrown here, and what is returned waits for the disk alone. */
  accept(writes: readonly Write[]): Accepted;

  /**
   * Events of a collection after `afterRevision`, in order, from here on. Fails with `compacted` if history does not reach
   * back so far. The cursor costs nothing while its owner does not pull.
   */
  watch(scope: WatchScope, afterRevision: number): Cursor | 'compacted';

  /** Oldest revision a watch can start after: compaction has removed what came before it. */
  readonly compactedRevision: number;

  /** Forgets history up to `revision`; visible state stays. */
  compact(revision: number): void;

  /** Resolves when `revision` is visible; used to wait for a revision from the near future. */
  waitFor(revision: number, signal: AbortSignal): Promise<void>;

  /** How many objects a collection holds, without walking it. */
  count(collection: string, prefix?: string): number;
}

/** `collection` is one kind's storage ("apps/deployments", "core/configmaps"); `name` is "namespace/name" or "name". */
export interface Key {
  readonly collection: string;
  readonly name: string;
}

/** Everything a filter may ask about an object without parsing it. Kept small: absent means empty. */
export interface Header {
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Selectable fields beyond metadata.name and metadata.namespace, by their field-selector label. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly ownerUids?: readonly string[];
  readonly finalizers?: readonly string[];
  readonly deletionTimestamp?: string;
  /** By which rules the object was stored: says without parsing whether its bytes can be sent as they are. */
  readonly mark?: string;
}

export interface Entry {
  readonly key: Key;
  readonly header: Header;
  /** The object's JSON with its resourceVersion inside. Never changed once made. */
  readonly bytes: Uint8Array;
  readonly createRevision: number;
  readonly revision: number;
}

export type Write = Put | Delete;

export interface Put {
  readonly verb: 'put';
  readonly key: Key;
  /** Revision that the newest accepted entry must have; 0: must not exist. */
  readonly expected: number;
  readonly header: Header;
  /** Called once, with the revision the write took, before `write` returns. */
  readonly encode: (revision: number) => Uint8Array;
}

export interface Delete {
  readonly verb: 'delete';
  readonly key: Key;
  readonly expected: number;
  /** The object as it was, with the deletion's revision as resourceVersion: what DELETED events carry. */
  readonly encode: (revision: number) => Uint8Array;
}

export interface Accepted {
  readonly committed: Promise<readonly Committed[]>;
}

export interface Committed {
  readonly revision: number;
  /** The new entry, or for a delete the last one with the deletion's revision and bytes. */
  readonly entry: Entry;
}

export interface Snapshot {
  readonly revision: number;
  get(key: Key): Entry | undefined;
  /** Entries whose name starts with `prefix` (empty: all), from `start` (inclusive) on, in byte order of their names. */
  range(collection: string, prefix: string, start?: string): Iterable<Entry>;
  /** How many entries `range` would give, without walking them. */
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
  /** For whoever encodes this event for the wire: made once, shared by all watches. Keys are the encoder's. */
  readonly encoded: Map<string, Uint8Array>;
}

/** A position in the shared log. It holds no events, so a slow reader costs no memory. */
export interface Cursor {
  /** Next event in scope, `undefined` when caught up, `compacted` when history has moved past this cursor. */
  next(): StoreEvent | undefined | 'compacted';
  /** Called once when something new is there after `next` said `undefined`. */
  onReady(listener: () => void): void;
  /** All events up to here were delivered or were out of scope: what a bookmark may promise. */
  readonly revision: number;
  close(): void;
}

export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  readonly key: Key;
  /** Newest accepted revision of the key, 0 when it does not exist. */
  readonly actual: number;

  constructor(key: Key, actual: number) {
    super(`${key.collection}/${key.name} is at revision ${actual}`);
    this.key = key;
    this.actual = actual;
  }
}

/** The storage could not take the write. Nothing of it was kept; reads go on; trying again later may work. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The disk has no room for the write. What makes nothing larger is still stored. */
export class StoreFull extends StoreUnavailable {}

/** Any number of stores that share one file, one worker and one group commit. */
export interface StorageEngine {
  /**
   * Opens (or makes) the store of that name. Each has its own keys, revisions and log. A new one starts empty, with all that
   * a snapshot shows, or as the store that is named is: the last for the price of a reference, in memory and on disk, and from
   * then on that store takes no more writes.
   */
  store(name: string, start?: Snapshot | string): Store;
  has(name: string): boolean;
  /** Of all stores that there are, in the order in which they were made. */
  names(): Iterable<string>;
  /** Copies everything that is durable now into a new file, while the engine runs. */
  backup(file: string): Promise<void>;
  /** Flushes, releases the lock, ends the worker. */
  close(): Promise<void>;
}
