import {
  apiErrors,
  type ApiError,
  type KubeObject,
  type LiveView,
  type ObjectKey,
  type ObjectVersion,
  type Outline,
  type ViewChange,
} from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import type { StreamAccess } from '../../access/stream-access.ts';
import { keyOf, storageName, type Resource } from '../../resources/resource.ts';
import { sharedObject } from '../../representation/shared-objects.ts';
import type { Cursor, Entry, Snapshot, Store, StoreEvent } from '../../store/store.ts';
import type { Call } from '../../call/call.ts';
import { filterOf, matchAll, type Filter } from '../reading/filter.ts';
import { scopePrefix } from '../reading/page.ts';
import { hasSameOwners } from './same-owners.ts';
import { eventType } from './watch-stream.ts';

/**
 * A view of the objects of a list request. Returns undefined if a webhook converts them, because a view reads synchronously.
 * `rights` is undefined for callers that may do everything.
 */
export function liveView(call: Call, rights?: StreamAccess): LiveView | undefined {
  if (call.resource.whileConverting) return undefined;
  const filter = filterOf(call);
  return new StoreView(call, filter, filter.onlyName ?? scopePrefix(call), rights);
}

interface ViewedResource {
  readonly server: Pick<Call['server'], 'store' | 'turns'>;
  readonly resource: Resource;
}

/** `filter` and `prefix` are those of a list request. `rights` as for `liveView`. */
export class StoreView implements LiveView {
  readonly #store: Store;
  readonly #turns: LoopTurns;
  readonly #resource: Resource;
  readonly #filter: Filter;
  readonly #prefix: string;
  readonly #rights: StreamAccess | undefined;
  /** The store's revision when the rights were last checked and granted. */
  #allowedRevision: number;
  /** Set once the caller has lost its rights: the view shows this state from then on. */
  #frozen: Snapshot | undefined;

  constructor({ server, resource }: ViewedResource, filter: Filter = matchAll, prefix = '', rights?: StreamAccess) {
    this.#store = server.store;
    this.#turns = server.turns;
    this.#resource = resource;
    this.#filter = filter;
    this.#prefix = prefix;
    this.#rights = rights;
    this.#allowedRevision = server.store.revision;
  }

  revision(): number {
    return (this.#frozenState() ?? this.#store).revision;
  }

  size(): number {
    const { collection } = this.#resource;
    if (this.#filter.isEmpty) return (this.#frozenState() ?? this.#store).count(collection, this.#prefix);
    return this.#entries(this.#prefix).reduce((count) => count + 1, 0);
  }

  get(key: ObjectKey): Readonly<KubeObject> | undefined {
    const entry = this.#entry(key);
    return entry && sharedObject(this.#resource, entry);
  }

  *all(namespace?: string): Iterable<Readonly<KubeObject>> {
    for (const entry of this.#entriesIn(namespace)) yield sharedObject(this.#resource, entry);
  }

  outline(key: ObjectKey): Outline | undefined {
    return this.#entry(key)?.header;
  }

  version(key: ObjectKey): ObjectVersion | undefined {
    const entry = this.#entry(key);
    return entry && { uid: entry.header.uid, resourceVersion: String(entry.revision) };
  }

  *outlines(namespace?: string): Iterable<{ readonly key: ObjectKey; readonly outline: Outline }> {
    const resource = this.#resource;
    for (const entry of this.#entriesIn(namespace))
      yield { key: keyOf(resource, entry.key.name), outline: entry.header };
  }

  follow(
    changed: (change: ViewChange) => void,
    ended: (error: Error) => void,
    after = this.#store.revision,
  ): () => void {
    const { collection, stopped, plural } = this.#resource;
    const cursor = this.#store.watch({ collection, prefix: this.#prefix }, after);
    if (cursor === 'compacted') {
      queueMicrotask(() => ended(apiErrors.expired(`changes after revision ${after} are no longer known`)));
      return () => {};
    }
    const stop = (): void => {
      cursor.close();
      stopped?.remove(end);
    };
    const end = (): void => {
      this.#drain(cursor, changed);
      stop();
      ended(this.#refusal() ?? new Error(`${plural} are no longer served as they were`));
    };
    const pump = (): void => {
      if (this.#drain(cursor, changed)) cursor.onReady(pumpInTurn);
      else end();
    };
    const pumpInTurn = (): void => this.#turns.run(pump);
    stopped?.add(end);
    if (stopped?.isStopped === true) queueMicrotask(end);
    else pump();
    return stop;
  }

  /** Passes on all pending changes. Returns false if changes were compacted, or the caller has lost its rights. */
  #drain(cursor: Cursor, changed: (change: ViewChange) => void): boolean {
    if (this.#refusal()) return false;
    for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
      if (event === 'compacted') return false;
      const change = this.#changeOf(event);
      if (change) changed(change);
    }
    return true;
  }

  #changeOf(event: StoreEvent): ViewChange | undefined {
    const type = eventType(event, this.#filter);
    if (!type) return undefined;
    return new StoreChange(this.#resource, event, type);
  }

  /** Why the caller may not see changes. The view then stays frozen, even if the rights come back. */
  #refusal(): ApiError | undefined {
    const refusal = this.#rights?.refusal();
    if (this.#frozen) return refusal;
    if (refusal) this.#frozen = this.#snapshotAt(this.#allowedRevision);
    else this.#allowedRevision = this.#store.revision;
    return refusal;
  }

  #frozenState(): Snapshot | undefined {
    if (this.#rights) this.#refusal();
    return this.#frozen;
  }

  #snapshotAt(revision: number): Snapshot {
    const snapshot = this.#store.snapshotAt(revision);
    return snapshot === 'compacted' ? this.#store.snapshot() : snapshot;
  }

  #entry({ namespace = '', name }: ObjectKey): Entry | undefined {
    const key = storageName(this.#resource, namespace, name);
    if (!key.startsWith(this.#prefix)) return undefined;
    const entry = (this.#frozenState() ?? this.#store).get({ collection: this.#resource.collection, name: key });
    return entry && this.#filter.matches(entry) ? entry : undefined;
  }

  #entriesIn(namespace: string | undefined): Iterable<Entry> {
    const prefix = namespace === undefined || !this.#resource.namespaced ? '' : `${namespace}/`;
    if (!prefix.startsWith(this.#prefix) && !this.#prefix.startsWith(prefix)) return [];
    return this.#entries(prefix.length > this.#prefix.length ? prefix : this.#prefix);
  }

  *#entries(prefix: string): IteratorObject<Entry, undefined> {
    const entries = (this.#frozenState() ?? this.#store.snapshot()).range(this.#resource.collection, prefix);
    for (const entry of entries) if (this.#filter.matches(entry)) yield entry;
  }
}

export class StoreChange implements ViewChange {
  readonly type: ViewChange['type'];
  readonly #resource: Resource;
  readonly #event: StoreEvent;
  #key: ObjectKey | undefined;

  constructor(resource: Resource, event: StoreEvent, type: ViewChange['type']) {
    this.type = type;
    this.#resource = resource;
    this.#event = event;
  }

  /** Computed on demand: many listeners only look at the outline. */
  get key(): ObjectKey {
    return (this.#key ??= keyOf(this.#resource, this.#event.entry.key.name));
  }

  get revision(): number {
    return this.#event.revision;
  }

  get outline(): Outline {
    return this.#event.entry.header;
  }

  object(): Readonly<KubeObject> {
    return sharedObject(this.#resource, this.#event.entry);
  }

  old(): Readonly<KubeObject> | undefined {
    const { previous } = this.#event;
    return previous && this.type !== 'ADDED' ? sharedObject(this.#resource, previous) : undefined;
  }

  hasSameOwners(): boolean {
    const { entry, previous } = this.#event;
    return previous !== undefined && this.type === 'MODIFIED' && hasSameOwners(previous.bytes, entry.bytes);
  }
}
