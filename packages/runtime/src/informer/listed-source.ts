/**
 * The objects of a kind by list and watch, for servers across a network, which may cut connections, restart or lose data. Listeners
 * get each difference once, whatever happens. If the server can, the list is the start of the watch: one stream that neither
 * side holds in memory.
 */
import { ResponseTooLarge, type Client, type WatchEvent } from '@flotilla/client';
import {
  apiVersionOf,
  errorMessage,
  initialEventsEndKey,
  keyText,
  type JsonObject,
  type Kind,
  type KubeObject,
  type Logger,
  type ObjectKey,
  type ObjectMeta,
  type ObjectVersion,
  type Outline,
} from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';
import { keyOf } from './object-key.ts';
import type { ObjectChange, ObjectSource, Outlined, ReadonlyObject, SourceListener } from './object-source.ts';
import { ObjectTable } from './object-table.ts';
import { isStreamRefused, retryDelay, RevisionLost, nextAfter } from './resuming.ts';

/** A part of objects that are too many, or too large, to keep whole. */
export interface Excerpt {
  /** Excerpts with the same name are the same. */
  readonly name: string;
  /** Name, uid and resourceVersion are kept in any case. */
  readonly of: (object: KubeObject) => JsonObject & { readonly metadata?: ObjectMeta };
}

export interface ListedSourceOptions {
  readonly client: Client;
  readonly kind: Kind;
  readonly namespace?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly metadataOnly?: boolean;
  readonly versionsOnly?: boolean;
  readonly excerpt?: Excerpt | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** client-go's. */
const largestPage = 500;

/** More than any cluster has of a kind. Without a limit a hostile server could fill the memory. */
const maxObjects = 500_000;

/** A watch is renewed after five to ten minutes, so that clients spread over the replicas of a server. */
const watchSeconds = 300;

/** After this long beyond its timeout a watch counts as a dead connection. */
const graceSeconds = 30;

/** A watch that ends sooner without an event is an error. */
const shortWatchMs = 1000;

/** A watch of this length resets the back-off, even without an event. */
const stableWatchMs = 30_000;

/** All objects at the newest revision, then changes. */
const withInitialEvents = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;

export class ListedSource implements ObjectSource {
  readonly #options: ListedSourceOptions;
  readonly #apiVersion: string;
  readonly #table = new ObjectTable();
  #resourceVersion = '';
  #next: 'list' | 'check' | 'watch' = 'list';
  /** False once the server has refused a streaming list. */
  #canStream = true;
  /** During a list: the keys that it has brought. */
  #listed: Set<string> | undefined;
  #failures = 0;
  /** Reduced when a page exceeds what the client reads. */
  #pageSize = largestPage;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();
  readonly isView = false;
  failure: string | undefined;

  constructor(options: ListedSourceOptions) {
    this.#options = options;
    this.#apiVersion = apiVersionOf(options.kind);
  }

  get(key: ObjectKey): ReadonlyObject | undefined {
    return this.#table.get(key);
  }

  all(namespace?: string): Iterable<ReadonlyObject> {
    return this.#table.all(namespace);
  }

  outline(key: ObjectKey): Outline | undefined {
    const object = this.#table.get(key);
    return object && outlineOf(object);
  }

  version(key: ObjectKey): ObjectVersion | undefined {
    return this.#table.get(key)?.metadata;
  }

  *outlines(namespace?: string): Generator<Outlined, void> {
    for (const object of this.#table.all(namespace)) yield { key: keyOf(object), outline: outlineOf(object) };
  }

  get size(): number {
    return this.#table.size;
  }

  get revision(): number {
    return Number(this.#resourceVersion);
  }

  start(listener: SourceListener): void {
    this.#running = this.#run(listener, this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(listener: SourceListener, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        if (this.#next === 'check') await this.#check(signal);
        if (this.#next === 'list' && !this.#canStream) await this.#list(listener, signal);
        await this.#watch(listener, signal);
      } catch (error) {
        await this.#recover(error, signal);
      }
    }
  }

  /** Page by page, for servers that do not stream lists. */
  async #list(listener: SourceListener, signal: AbortSignal): Promise<void> {
    this.#listed = new Set();
    const first = await this.#page(undefined, signal);
    for (let page = first; ; page = await this.#page(page.continue, signal)) {
      for (const item of page.items) this.#find(item, listener);
      if (!page.continue) break;
    }
    this.#completeList(first.resourceVersion, listener);
  }

  /** Notifies of new and changed objects as they come; deletions follow at the end of the list. */
  #find(item: KubeObject, listener: SourceListener): void {
    const object = this.#slim(item);
    const key = keyOf(object);
    this.#listed?.add(keyText(key));
    this.#put(key, object, listener, false);
  }

  #completeList(resourceVersion: string, listener: SourceListener): void {
    for (const object of this.#table.all()) {
      const key = keyOf(object);
      if (!this.#listed?.has(keyText(key))) this.#remove(key, listener, false);
    }
    this.#listed = undefined;
    this.#resourceVersion = resourceVersion;
    this.#next = 'watch';
    this.failure = undefined;
    listener.synced();
  }

  #page(next: string | undefined, signal: AbortSignal) {
    const { client, kind } = this.#options;
    return client.list(kind, { ...this.#scope(), limit: this.#pageSize, ...(next ? { continue: next } : {}), signal });
  }

  /**
   * A server that restarted may have lost data, and a watch from a revision in its future would wait in silence. This checks its
   * revision first.
   */
  async #check(signal: AbortSignal): Promise<void> {
    const { client, kind } = this.#options;
    const { resourceVersion } = await client.list(kind, { ...this.#scope(), metadataOnly: true, limit: 1, signal });
    if (Number(resourceVersion) < this.revision) throw new RevisionLost();
    this.#next = 'watch';
    this.failure = undefined;
  }

  async #watch(listener: SourceListener, signal: AbortSignal): Promise<void> {
    const { client, kind, clock, random } = this.#options;
    const isStream = this.#next === 'list';
    this.#listed = isStream ? new Set() : undefined;
    const startedAt = clock.elapsed();
    const timeoutSeconds = Math.round(watchSeconds * (1 + random()));
    const silence = new AbortController();
    const cancel = clock.after((timeoutSeconds + graceSeconds) * 1000, () => silence.abort());
    let received = 0;
    try {
      const events = client.watch(kind, {
        ...this.#scope(),
        ...(isStream ? withInitialEvents : { resourceVersion: this.#resourceVersion }),
        allowBookmarks: true,
        timeoutSeconds,
        signal: AbortSignal.any([signal, silence.signal]),
      });
      await events.each((event) => {
        received++;
        this.#take(event, listener);
        // An unfinished list is not a success.
        if (this.#listed !== undefined) return;
        this.#failures = 0;
        this.failure = undefined;
      });
    } finally {
      cancel();
      if (clock.elapsed() - startedAt >= stableWatchMs) this.#failures = 0;
    }
    // A server that ends the stream before the list is complete does not support it, or is too slow for it.
    if (this.#listed !== undefined && !signal.aborted) this.#canStream = false;
    const wasShort = received === 0 && clock.elapsed() - startedAt < shortWatchMs;
    if (wasShort && !signal.aborted) throw new Error('the server ends watches as soon as they begin');
  }

  #take(event: WatchEvent<KubeObject>, listener: SourceListener): void {
    if (this.#listed === undefined) this.#takeChange(event, listener);
    else this.#takeListed(event, this.#listed, listener);
  }

  /** Handles existing objects, and changes that happen while the server sends them. */
  #takeListed({ type, object }: WatchEvent<KubeObject>, listed: Set<string>, listener: SourceListener): void {
    const { resourceVersion = '', annotations } = object.metadata;
    if (type === 'BOOKMARK') {
      if (annotations?.[initialEventsEndKey] === 'true') this.#completeList(resourceVersion, listener);
    } else if (type === 'DELETED') {
      listed.delete(keyText(keyOf(object)));
      this.#remove(keyOf(object), listener, true);
    } else this.#find(object, listener);
  }

  #takeChange({ type, object }: WatchEvent<KubeObject>, listener: SourceListener): void {
    const { resourceVersion = '' } = object.metadata;
    if (Number(resourceVersion) < this.revision) throw new RevisionLost();
    this.#resourceVersion = resourceVersion;
    if (type === 'BOOKMARK') return;
    const key = keyOf(object);
    if (type === 'DELETED') this.#remove(key, listener, true);
    else this.#put(key, this.#slim(object), listener, true);
  }

  #put(key: ObjectKey, object: ReadonlyObject, listener: SourceListener, isLive: boolean): void {
    const old = this.#table.get(key);
    if (old !== undefined && isSameState(old, object)) return;
    if (old === undefined && this.#table.size >= maxObjects) {
      throw new Error(`the server has more than ${maxObjects} objects of the kind ${this.#options.kind.kind}`);
    }
    this.#table.set(key, object);
    listener.changed(new ListedChange(key, object, old, isLive));
  }

  #remove(key: ObjectKey, listener: SourceListener, isLive: boolean): void {
    const old = this.#table.get(key);
    if (old === undefined) return;
    this.#table.delete(key);
    listener.changed(new ListedChange(key, undefined, old, isLive));
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock, random, logger } = this.#options;
    if (this.#next === 'list' && this.#canStream && isStreamRefused(error)) {
      this.#canStream = false;
      return;
    }
    if (error instanceof ResponseTooLarge) this.#pageSize = Math.ceil(this.#pageSize / 4);
    const next = nextAfter(error);
    if (this.#next !== 'list') this.#next = next;
    this.failure = errorMessage(error);
    const delayMs = retryDelay(error, this.#failures++, random);
    logger.debug('watch interrupted, retrying', { next: this.#next, delayMs, error });
    await pause(clock, delayMs, signal);
  }

  #scope() {
    const { namespace, fieldSelector, metadataOnly, versionsOnly } = this.#options;
    return {
      ...(namespace === undefined ? {} : { namespace }),
      ...(fieldSelector === undefined ? {} : { fieldSelector }),
      ...(metadataOnly || versionsOnly ? { metadataOnly: true } : {}),
    };
  }

  /**
   * Drops managedFields, often half of an object. Sets kind and apiVersion, which items of a list lack and partial metadata
   * has wrong.
   */
  #slim(object: KubeObject): ReadonlyObject {
    const { kind, versionsOnly, excerpt } = this.#options;
    const what = { apiVersion: this.#apiVersion, kind: kind.kind };
    if (versionsOnly) return { ...what, metadata: versionOf(object) };
    if (excerpt) return withIdentity(excerpt.of(object), object, what);
    const { managedFields: _, ...metadata } = object.metadata;
    return { ...object, ...what, metadata };
  }
}

class ListedChange implements ObjectChange {
  readonly key: ObjectKey;
  readonly isLive: boolean;
  readonly #now: ReadonlyObject | undefined;
  readonly #old: ReadonlyObject | undefined;

  constructor(key: ObjectKey, now: ReadonlyObject | undefined, old: ReadonlyObject | undefined, isLive: boolean) {
    this.key = key;
    this.isLive = isLive;
    this.#now = now;
    this.#old = old;
  }

  get isGone(): boolean {
    return this.#now === undefined;
  }

  get outline(): Outline {
    const state = this.#now ?? this.#old;
    return state === undefined ? { uid: '' } : outlineOf(state);
  }

  now(): ReadonlyObject | undefined {
    return this.#now;
  }

  old(): ReadonlyObject | undefined {
    return this.#old;
  }

  hasSameOwners(): boolean {
    return false;
  }
}

/** The outline of a parsed object. */
export function outlineOf({ metadata }: ReadonlyObject): Outline {
  const { uid = '', labels, ownerReferences, finalizers, deletionTimestamp } = metadata;
  return {
    uid,
    ...(labels && { labels }),
    ...(ownerReferences && { ownerUids: ownerReferences.map((owner) => owner.uid) }),
    ...(finalizers && { finalizers }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  };
}

function versionOf({ metadata: { namespace, name = '', uid = '', resourceVersion = '' } }: KubeObject) {
  return { ...(namespace !== undefined && { namespace }), name, uid, resourceVersion };
}

function withIdentity(
  excerpt: ReturnType<Excerpt['of']>,
  object: KubeObject,
  what: Pick<KubeObject, 'apiVersion' | 'kind'>,
): ReadonlyObject {
  return { ...excerpt, ...what, metadata: { ...excerpt.metadata, ...versionOf(object) } };
}

function isSameState({ metadata: a }: ReadonlyObject, { metadata: b }: ReadonlyObject): boolean {
  return a.resourceVersion === b.resourceVersion && a.uid === b.uid;
}
