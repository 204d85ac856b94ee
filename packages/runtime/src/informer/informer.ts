import type { LogFields, Logger, ObjectKey, ObjectVersion, Outline } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { InvariantError } from '../failures.ts';
import type { Indexes } from './label-index.ts';
import { ObjectIndex } from './object-index.ts';
import { keyFromText, keyOf } from './object-key.ts';
import { metadataOf } from './metadata-of.ts';
import type { ObjectChange, ObjectSource, Outlined, ReadonlyObject } from './object-source.ts';
import { ObjectTable } from './object-table.ts';
import { Replay } from './replay.ts';
import { Subscription, type ExistingListener, type Listener } from './subscription.ts';

/** Follows changes without reading existing objects. */
export interface Follower {
  /** Nothing is parsed before the follower asks for the objects of the change. */
  readonly changed: (change: ObjectChange) => void;
  /** Any object may have changed: the informer lost its place and read everything anew. */
  readonly reopened: () => void;
}

/** The objects of one kind, by key and by index, and the listeners for their changes. */
export class Informer {
  readonly #source: ObjectSource;
  readonly #logger: Logger;
  readonly #replay: Replay;
  readonly #indexes = new Map<string, ObjectIndex>();
  /** Kept from `keepMetadata` on. */
  #metadata: ObjectTable | undefined;
  /** Notified before `#listening`, so that listeners find indexes up to date. */
  readonly #indexing = new Set<Subscription>();
  readonly #listening = new Set<Subscription>();
  readonly #followers = new Set<Follower>();
  readonly #synced = Promise.withResolvers<void>();
  #isSynced = false;

  constructor(source: ObjectSource, logger: Logger, turns: LoopTurns) {
    this.#source = source;
    this.#logger = logger;
    this.#replay = new Replay(source, turns);
    source.start({
      changed: (change: ObjectChange) => this.#changed(change),
      opened: () => this.#opened(),
      synced: () => {
        this.#isSynced = true;
        this.#synced.resolve();
      },
    });
  }

  get(key: ObjectKey): ReadonlyObject | undefined {
    return this.#source.get(key);
  }

  all(namespace?: string): Iterable<ReadonlyObject> {
    return this.#source.all(namespace);
  }

  get size(): number {
    return this.#source.size;
  }

  get revision(): number {
    return this.#source.revision;
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** The error that keeps it from following the server; undefined if there is none. */
  get failure(): string | undefined {
    return this.#source.failure;
  }

  /** Whether it follows the server without an error. */
  get isCurrent(): boolean {
    return this.#isSynced && this.#source.failure === undefined;
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  keysIn(index: string, value: string): Iterable<string> {
    return this.#index(index).keysOf(value);
  }

  countIn(index: string, value: string): number {
    return this.#index(index).countOf(value);
  }

  indexed(index: string, value: string): ReadonlyObject[] {
    const objects: ReadonlyObject[] = [];
    for (const key of this.keysIn(index, value)) {
      const object = this.#source.get(keyFromText(key));
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }

  /** Ignores indexes whose name exists already. */
  addIndexes(indexes: Indexes): void {
    for (const [name, valuesOf] of Object.entries(indexes)) {
      if (this.#indexes.has(name)) continue;
      const index = new ObjectIndex(valuesOf);
      this.#indexes.set(name, index);
      const existing = valuesOf.readsLabelsOnly === true ? (found: Outlined) => index.addOutlined(found) : undefined;
      this.#join(this.#indexing, (now, old) => index.update(now, old), existing);
    }
  }

  indexedMetadata(index: string, value: string): ReadonlyObject[] {
    if (this.#metadata === undefined) throw new InvariantError('metadata are read but not kept');
    const found: ReadonlyObject[] = [];
    for (const key of this.keysIn(index, value)) {
      const kept = this.#metadata.get(keyFromText(key));
      if (kept !== undefined) found.push(kept);
    }
    return found;
  }

  /** Keeps kind, apiVersion and metadata of every object from now on. */
  keepMetadata(): void {
    if (this.#metadata !== undefined) return;
    const kept = new ObjectTable();
    this.#metadata = kept;
    this.#join(this.#indexing, (now, old) => {
      if (now !== undefined) kept.set(keyOf(now), metadataOf(now));
      else if (old !== undefined) kept.delete(keyOf(old));
    });
  }

  /**
   * Calls the listener for every existing object, then for every change. Call the result to stop. With `existing`, that is called for
   * existing objects, which are not parsed then.
   */
  subscribe(listener: Listener, existing?: ExistingListener): () => void {
    const subscription = this.#join(this.#listening, listener, existing);
    return () => {
      subscription.stop();
      this.#listening.delete(subscription);
    };
  }

  /** Calls the follower for every later change. Call the result to stop. */
  follow(follower: Follower): () => void {
    // Not the caller's object, which may follow twice.
    const followed = { ...follower };
    this.#followers.add(followed);
    return () => this.#followers.delete(followed);
  }

  /** What is known of an object without parsing it. */
  outline(key: ObjectKey): Outline | undefined {
    return this.#source.outline(key);
  }

  /** Which state of an object it is, without parsing it. */
  version(key: ObjectKey): ObjectVersion | undefined {
    return this.#source.version(key);
  }

  /** What is known of all objects without parsing them. */
  outlines(namespace?: string): Iterable<Outlined> {
    return this.#source.outlines(namespace);
  }

  /** Resolves when it has synced, its indexes are built and all listeners have been called. */
  async whenReady(): Promise<void> {
    await this.#synced.promise;
    const subscriptions = [...this.#indexing, ...this.#listening];
    await Promise.all(subscriptions.map((subscription) => subscription.whenCaughtUp()));
  }

  async stop(): Promise<void> {
    for (const subscription of [...this.#indexing, ...this.#listening]) subscription.stop();
    await this.#source.stop();
  }

  #index(name: string): ObjectIndex {
    const found = this.#indexes.get(name);
    if (found === undefined) throw new InvariantError(`there is no index ${name}`);
    return found;
  }

  #join(group: Set<Subscription>, listener: Listener, existing?: ExistingListener): Subscription {
    const subscription = new Subscription(
      (now, old, isLive) => this.#notify(listener, now, old, isLive),
      existing && ((found) => this.#notifyOfExisting(existing, found)),
    );
    group.add(subscription);
    if (this.#source.size > 0) this.#replay.add(subscription);
    return subscription;
  }

  /** A listener that throws must not affect the others. */
  #notify(listener: Listener, now: ReadonlyObject | undefined, old: ReadonlyObject | undefined, isLive: boolean): void {
    try {
      listener(now, old, isLive);
    } catch (error) {
      const { namespace, name } = (now ?? old)?.metadata ?? {};
      this.#ignoredChange({ namespace, name, error });
    }
  }

  #notifyOfExisting(existing: ExistingListener, found: Outlined): void {
    try {
      existing(found);
    } catch (error) {
      this.#ignoredChange({ ...found.key, error });
    }
  }

  #changed(change: ObjectChange): void {
    for (const subscription of this.#indexing) subscription.changed(change);
    for (const subscription of this.#listening) subscription.changed(change);
    for (const { changed } of this.#followers) {
      try {
        changed(change);
      } catch (error) {
        this.#ignoredChange({ ...change.key, error });
      }
    }
  }

  #opened(): void {
    for (const index of this.#indexes.values()) index.clear();
    this.#metadata?.clear();
    this.#replay.restart([...this.#indexing, ...this.#listening]);
    for (const { reopened } of this.#followers) {
      try {
        reopened();
      } catch (error) {
        this.#ignoredChange({ error });
      }
    }
  }

  #ignoredChange(fields: LogFields): void {
    this.#logger.error('informer listener threw, change ignored', fields);
  }
}
