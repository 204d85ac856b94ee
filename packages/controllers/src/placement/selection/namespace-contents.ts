/** The kinds whose objects are placed with their namespace: in use while any placement takes whole namespaces. */
import type { DiscoveredKind, DiscoveredKinds } from '@flotilla/client';
import { apiVersionOf, type Kind } from '@flotilla/kube';
import { kindText, type ServedKinds } from '@flotilla/runtime';
import type { FollowedKinds } from './followed-kinds.ts';
import type { PlaceableApis } from './placeable-apis.ts';
import { isWatchable } from './select-objects.ts';

export interface NamespaceContentsOptions {
  readonly served: ServedKinds;
  readonly followed: FollowedKinds;
  readonly apis: PlaceableApis;
  /** These kinds were added or removed, after the first discovery. */
  readonly changed: (added: readonly Kind[], removed: readonly Kind[]) => void;
}

export class NamespaceContents {
  readonly #options: NamespaceContentsOptions;
  readonly #users = new Set<string>();
  #kinds: ReadonlyMap<string, Kind> = new Map();
  #unknownGroups: ReadonlySet<string> = new Set();

  constructor(options: NamespaceContentsOptions) {
    this.#options = options;
  }

  get kinds(): readonly Kind[] {
    return [...this.#kinds.values()];
  }

  get isInUse(): boolean {
    return this.#users.size > 0;
  }

  has(kind: Kind): boolean {
    return this.#kinds.has(kindText(kind));
  }

  isUsedBy(placement: string): boolean {
    return this.#users.has(placement);
  }

  /** Groups whose discovery fails, and whose kinds were not known before. */
  get unknownGroups(): ReadonlySet<string> {
    return this.#unknownGroups;
  }

  async use(placement: string): Promise<void> {
    this.#users.add(placement);
    if (this.#kinds.size === 0) await this.refresh();
  }

  release(placement: string): void {
    if (!this.#users.delete(placement) || this.#users.size > 0) return;
    for (const kind of this.#kinds.values()) this.#options.followed.release(kind);
    this.#kinds = new Map();
  }

  /** Call after the served kinds changed. */
  async refresh(): Promise<void> {
    const { served, followed, apis, changed } = this.#options;
    const discovered = await served.all();
    if (!this.isInUse) return;
    const before = this.#kinds;
    const isStale = new Set(discovered.stale.map(apiVersionOf));
    const known = [...before.values()].filter((kind) => isStale.has(apiVersionOf(kind)));
    const now = new Map([...preferredKinds(discovered, apis), ...known].map((kind) => [kindText(kind), kind]));
    const added = [...now.values()].filter((kind) => !before.has(kindText(kind)));
    const removed = [...before.values()].filter((kind) => !now.has(kindText(kind)));
    const knownGroups = new Set([...now.values()].map(({ group }) => group));
    this.#unknownGroups = new Set(
      discovered.stale.map(({ group }) => group).filter((group) => !knownGroups.has(group)),
    );
    this.#kinds = now;
    for (const kind of added) followed.use(kind);
    for (const kind of removed) followed.release(kind);
    if (before.size > 0 && added.length + removed.length > 0) changed(added, removed);
  }
}

/** Each namespaced kind once, in the version that the server prefers. */
function preferredKinds({ kinds }: DiscoveredKinds, apis: PlaceableApis): DiscoveredKind[] {
  const preferred = new Map<string, DiscoveredKind>();
  for (const kind of kinds) {
    const resource = `${kind.group}/${kind.plural}`;
    if (kind.namespaced && isWatchable(kind) && !preferred.has(resource)) preferred.set(resource, kind);
  }
  return [...preferred.values()].filter((kind) => apis.includesWithNamespace(kind));
}
