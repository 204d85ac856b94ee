import { randomBytes } from 'node:crypto';
import {
  type Accepted,
  type Committed,
  type Cursor,
  type Entry,
  type Key,
  type Snapshot,
  type Store,
  type StoreEvent,
  type WatchScope,
  type Write,
} from '../store/store.ts';
import type { HostFunctions, RemoteCommit, RemoteWrite } from './host-functions.ts';

/** Waits for the outcome that a ticket names. */
export type Redeem = (ticket: number) => Promise<unknown>;

/** A number that grows before a cursor without events gets one, and at other times. Reading it costs nothing. */
export type News = () => number;

/**
 * The main thread's store for the worker. Reads return the current state, and so does `snapshot`: the verbs here read single
 * objects and small collections, and writes are checked against revisions.
 */
export class RemoteStore implements Store {
  readonly isFrozen = false;
  readonly #host: HostFunctions;
  readonly #redeem: Redeem;
  readonly #news: News;

  constructor(host: HostFunctions, redeem: Redeem, news: News) {
    this.#host = host;
    this.#redeem = redeem;
    this.#news = news;
  }

  get revision(): number {
    return this.#host.revision();
  }

  get compactedRevision(): number {
    return this.#host.compactedRevision();
  }

  get(key: Key): Entry | undefined {
    return this.#host.get(key);
  }

  newest(key: Key): Entry | undefined {
    return this.#host.newest(key);
  }

  count(collection: string, prefix?: string): number {
    return this.#host.count(collection, prefix);
  }

  snapshot(): Snapshot {
    const host = this.#host;
    return {
      revision: this.revision,
      get: (key) => host.get(key),
      entries: () => host.entries(),
      range: (collection, prefix, start) => host.range(collection, prefix, start),
      count: (collection, prefix) => host.count(collection, prefix),
    };
  }

  snapshotAt(): Snapshot | 'compacted' {
    return 'compacted';
  }

  async settled(key?: Key): Promise<void> {
    await this.#redeem(this.#host.settle(key));
  }

  async write(writes: readonly Write[]): Promise<readonly Committed[]> {
    return this.accept(writes).committed;
  }

  accept(writes: readonly Write[]): Accepted {
    const remoteWrites = writes.map(split);
    const ticket = this.#host.accept(remoteWrites);
    return { committed: this.#committed(ticket, remoteWrites) };
  }

  async #committed(ticket: number, remoteWrites: readonly RemoteWrite[]): Promise<readonly Committed[]> {
    const commits = (await this.#redeem(ticket)) as readonly RemoteCommit[];
    return commits.map(({ revision, createRevision, header }, index) => {
      const write = remoteWrites[index]!;
      const entry = { key: write.key, header, bytes: joined(write, revision), createRevision, revision };
      return { revision, entry };
    });
  }

  watch(scope: WatchScope | 'all', afterRevision: number): Cursor | 'compacted' {
    const cursor = this.#host.openCursor(scope, afterRevision);
    if (cursor === 'compacted') return cursor;
    return new RemoteCursor({ host: this.#host, redeem: this.#redeem, news: this.#news, cursor }, afterRevision);
  }

  /** Only the main thread compacts. */
  compact(): void {
    throw new Error('a worker does not compact the store');
  }

  /** The main thread has already waited before it sends a request here. */
  async waitFor(revision: number): Promise<void> {
    if (revision > this.revision) throw new Error(`revision ${revision} is not visible yet`);
  }
}

interface RemoteCursorOptions {
  readonly host: HostFunctions;
  readonly redeem: Redeem;
  readonly news: News;
  /** Its number in the main thread. */
  readonly cursor: number;
}

class RemoteCursor implements Cursor {
  readonly #host: HostFunctions;
  readonly #redeem: Redeem;
  readonly #news: News;
  readonly #cursor: number;
  /** The news before which it had no more events; undefined if it may have some. */
  #endedAt: number | undefined;
  revision: number;

  constructor({ host, redeem, news, cursor }: RemoteCursorOptions, revision: number) {
    this.#host = host;
    this.#redeem = redeem;
    this.#news = news;
    this.#cursor = cursor;
    this.revision = revision;
  }

  /** Admission asks several cursors about every request, and they hardly ever have an event. */
  next(): StoreEvent | undefined | 'compacted' {
    const news = this.#news();
    if (this.#endedAt === news) return undefined;
    const event = this.#host.nextEvent(this.#cursor);
    this.#endedAt = event === undefined ? news : undefined;
    if (event === undefined || event === 'compacted') return event;
    this.revision = event.revision;
    return { ...event, encoded: new Map() };
  }

  onReady(listener: () => void): void {
    // The ticket of a closed cursor never gets an outcome.
    void this.#redeem(this.#host.awaitEvent(this.#cursor)).then(listener, () => undefined);
  }

  close(): void {
    this.#host.closeCursor(this.#cursor);
  }
}

/**
 * Encodes an object and splits the bytes at its revision, which the store assigns when it accepts the write. The placeholder is a
 * random number, so no client can put the same text into an object on purpose.
 */
function split(write: Write): RemoteWrite {
  const placeholder = placeholderRevision();
  const bytes = write.encode(placeholder);
  const digits = String(placeholder);
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(`"${digits}"`) + 1;
  if (at === 0) throw new Error('an encoded object has no resourceVersion');
  const { verb, key, expected } = write;
  return {
    verb,
    key,
    expected,
    ...(write.verb === 'put' && { header: write.header }),
    beforeRevision: bytes.subarray(0, at),
    afterRevision: bytes.subarray(at + digits.length),
  };
}

/** A safe integer of sixteen digits. */
function placeholderRevision(): number {
  return 1e15 + randomBytes(6).readUIntBE(0, 6);
}

/** The bytes of a write with its revision. */
export function joined({ beforeRevision, afterRevision }: RemoteWrite, revision: number): Uint8Array {
  const digits = String(revision);
  const bytes = Buffer.allocUnsafeSlow(beforeRevision.length + digits.length + afterRevision.length);
  bytes.set(beforeRevision);
  bytes.write(digits, beforeRevision.length, 'latin1');
  bytes.set(afterRevision, beforeRevision.length + digits.length);
  return bytes;
}
