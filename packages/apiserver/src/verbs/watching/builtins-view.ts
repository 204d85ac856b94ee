import { storedKinds } from '@flotilla/builtins';
import {
  apiErrors,
  type BuiltinsView,
  type Kind,
  type KindOutline,
  type LiveView,
  type ViewChange,
  onceFor,
} from '@flotilla/kube';
import type { Call } from '../../call/call.ts';
import type { ResourceCatalog } from '../../resources/registry.ts';
import { keyOf, type Resource } from '../../resources/resource.ts';
import type { Cursor } from '../../store/store.ts';
import { StoreChange, StoreView } from './live-view.ts';
import { plainType } from './watch-stream.ts';

interface ViewedKind {
  readonly kind: Kind;
  readonly resource: Resource;
}

/** The kinds of each collection. All servers of a process have the same. */
const kindsByCollection = onceFor((catalog: ResourceCatalog): ReadonlyMap<string, readonly ViewedKind[]> => {
  const kinds = new Map<string, ViewedKind[]>();
  for (const { kind, collection } of storedKinds) {
    const resource = catalog.find(kind);
    if (resource === undefined) continue;
    const known = kinds.get(collection);
    if (known === undefined) kinds.set(collection, [{ kind, resource }]);
    else known.push({ kind, resource });
  }
  return kinds;
});

type ViewedServer = Pick<Call['server'], 'store' | 'turns' | 'registry'>;

/** Checks no rights: for callers that may do everything. */
export class StoreBuiltinsView implements BuiltinsView {
  readonly #server: ViewedServer;
  readonly #kinds: ReadonlyMap<string, readonly ViewedKind[]>;

  constructor(server: ViewedServer) {
    this.#server = server;
    this.#kinds = kindsByCollection(server.registry.builtin);
  }

  revision(): number {
    return this.#server.store.revision;
  }

  of(kind: Kind): LiveView | undefined {
    const resource = this.#server.registry.builtin.find(kind);
    return resource?.isStored === true ? new StoreView({ server: this.#server, resource }) : undefined;
  }

  *outlines(): Iterable<KindOutline> {
    for (const { key, header: outline } of this.#server.store.snapshot().entries()) {
      for (const { kind, resource } of this.#kinds.get(key.collection) ?? [])
        yield { kind, key: keyOf(resource, key.name), outline };
    }
  }

  follow(
    changed: (kind: Kind, change: ViewChange) => void,
    ended: (error: Error) => void,
    after = this.#server.store.revision,
  ): () => void {
    const expired = (): void => ended(apiErrors.expired(`changes after revision ${after} are no longer known`));
    const cursor = this.#server.store.watch('all', after);
    if (cursor === 'compacted') {
      queueMicrotask(expired);
      return () => {};
    }
    const pump = (): void => {
      if (this.#drain(cursor, changed)) cursor.onReady(pumpInTurn);
      else expired();
    };
    const pumpInTurn = (): void => this.#server.turns.run(pump);
    pump();
    return () => cursor.close();
  }

  /** Passes on all pending changes. Returns false if changes were compacted. */
  #drain(cursor: Cursor, changed: (kind: Kind, change: ViewChange) => void): boolean {
    for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
      if (event === 'compacted') return false;
      for (const { kind, resource } of this.#kinds.get(event.entry.key.collection) ?? [])
        changed(kind, new StoreChange(resource, event, plainType(event)));
    }
    return true;
  }
}
