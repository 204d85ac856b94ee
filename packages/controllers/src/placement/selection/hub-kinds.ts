/** The kinds of the hub that placements select from: which are served, and the informers of those in use. */
import type { DiscoveredKind } from '@flotilla/client';
import {
  type GroupVersionKind,
  type Kind,
  type KubeObject,
  type Logger,
  type MetricsRegistry,
  type ObjectKey,
} from '@flotilla/kube';
import { kindText, WorkLoop, type InformerSet, type ObjectChange, type ServedKinds } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { FollowedKinds } from './followed-kinds.ts';
import { hasWholeNamespaces, services } from './interests.ts';
import { NamespaceContents } from './namespace-contents.ts';
import { dependsOnServices } from './selectable-object.ts';
import type { SelectingPlacement, SelectionRules } from './selecting-placement.ts';
import { isWatchable, type HubObjects } from './select-objects.ts';

/** How often to look again for what only time reveals: kinds that discovery shows late, and informers that fail. */
const retryMs = 1_000;

/** How often to discover again while the server of a group does not answer. KubeFleet's interval. */
const staleMs = 30_000;

/** What selecting needs of the hub and of its process. */
export interface SelectionDependencies {
  readonly served: ServedKinds;
  readonly informers: InformerSet;
  readonly rules: SelectionRules;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

export interface HubKindsOptions extends SelectionDependencies {
  readonly objectChanged: (kind: Kind, change: ObjectChange) => void;
  /** Any object of the kind may have changed, or can be read only now. */
  readonly kindChanged: (kind: Kind) => void;
  /** The hub may serve other kinds of this group now. */
  readonly groupChanged: (group: string) => void;
  /** The objects in this namespace that are placed with it may have changed. */
  readonly contentChanged: (namespace: string) => void;
}

export interface UsingPlacement extends SelectingPlacement {
  /** `group/Kind` of everything that it has selected before. */
  readonly placedKinds: ReadonlySet<string>;
}

export interface KindsForPlacement {
  readonly objects: Omit<HubObjects, 'takesNamespace'>;
  /** Why a selection would be incomplete. */
  readonly missing?: string;
  /** When to ask again, if no change makes it necessary earlier. */
  readonly retryMs?: number;
}

export class HubKinds {
  readonly #options: HubKindsOptions;
  readonly #served: ServedKinds;
  readonly #ignoreGroups: () => void;
  readonly #followed: FollowedKinds;
  readonly #contents: NamespaceContents;
  /** Keys: the name of a kind whose objects must be looked at, or empty to discover the kinds of whole namespaces. */
  readonly #loop: WorkLoop;
  readonly #used = new Map<string, ReadonlyMap<string, Kind>>();
  readonly #changedGroups = new Set<string>();

  constructor(options: HubKindsOptions) {
    const { served, informers, rules, clock, turns, logger, metrics } = options;
    this.#options = options;
    this.#served = served;
    this.#followed = new FollowedKinds({
      informers,
      changed: options.objectChanged,
      reopened: (kind) => this.#reread(kind),
      synced: (kind) => this.#reread(kind),
    });
    this.#loop = new WorkLoop({
      name: 'placement-kinds',
      clock,
      turns,
      logger: logger.with({ controller: 'placement-kinds' }),
      metrics,
      turn: (key) => (key === '' ? this.#discover() : this.#look(key)),
    });
    this.#ignoreGroups = served.onGroupChanged((group) => this.#groupChanged(group));
    this.#contents = new NamespaceContents({
      served,
      followed: this.#followed,
      apis: rules.apis,
      changed: (added, removed) => {
        for (const kind of added) if (this.#followed.find(kind)?.isSynced === true) this.#loop.add(kindText(kind));
        for (const kind of removed) options.kindChanged(kind);
      },
    });
    this.#loop.start();
  }

  get isAtRest(): boolean {
    return this.#loop.isAtRest;
  }

  get(kind: Kind, key: ObjectKey): Readonly<KubeObject> | undefined {
    return this.#followed.find(kind)?.get(key);
  }

  hasService(key: ObjectKey): boolean {
    return this.get(services, key) !== undefined;
  }

  /** Whether a whole namespace has objects of this kind. */
  isInNamespaces(kind: Kind): boolean {
    return this.#contents.has(kind);
  }

  /** Follows the kinds that the placement needs, and no longer the others, until `release`. Rejects if discovery fails. */
  async use(placement: string, selecting: UsingPlacement): Promise<KindsForPlacement> {
    const found = await this.#findKinds(selecting);
    if (hasWholeNamespaces(selecting)) await this.#contents.use(placement);
    else this.#contents.release(placement);
    if (this.#contents.unknownGroups.size > 0) this.#loop.addAfter('', staleMs);
    this.#follow(placement, kindsToFollow(selecting, found));
    const readable = this.#contents.kinds.filter((kind) => this.#followed.find(kind)?.isSynced === true);
    const missing = this.#missing(placement, selecting);
    const isLate = selecting.selectors.some(
      (selector) => !found.has(textOf(selector)) && this.#served.isSettling(selector.group),
    );
    return {
      objects: {
        findKind: (gvk) => found.get(textOf(gvk)),
        kindsInNamespaces: readable,
        get: (kind, key) => this.get(kind, key),
        list: (kind, namespace) => this.#followed.find(kind)?.all(namespace) ?? [],
        outlines: (kind, namespace) => this.#followed.find(kind)?.outlines(namespace) ?? [],
        hasService: (key) => this.hasService(key),
      },
      ...(missing !== undefined && { missing }),
      ...((missing !== undefined || isLate) && { retryMs }),
    };
  }

  release(placement: string): void {
    this.#contents.release(placement);
    this.#follow(placement, []);
    this.#used.delete(placement);
  }

  async stop(): Promise<void> {
    this.#ignoreGroups();
    await Promise.all([this.#loop.stop(), this.#followed.stop()]);
  }

  async #findKinds({ selectors }: SelectingPlacement): Promise<Map<string, DiscoveredKind>> {
    const found = new Map<string, DiscoveredKind>();
    for (const selector of selectors) {
      if (!this.#options.rules.apis.includes(selector)) continue;
      const kind = await this.#served.find(selector);
      if (kind !== undefined) found.set(textOf(selector), kind);
    }
    return found;
  }

  #follow(placement: string, kinds: readonly Kind[]): void {
    const before = this.#used.get(placement) ?? new Map<string, Kind>();
    const now = new Map(kinds.map((kind) => [kindText(kind), kind]));
    for (const [text, kind] of now) if (!before.has(text)) this.#followed.use(kind);
    for (const [text, kind] of before) if (!now.has(text)) this.#followed.release(kind);
    this.#used.set(placement, now);
  }

  /**
   * A kind that cannot be read may have objects that the placement has placed. Without them it would remove them from all clusters.
   * Kinds that it never placed do not hold it up: an API server that is gone for good must not.
   */
  #missing(placement: string, { placedKinds }: UsingPlacement): string | undefined {
    for (const kind of this.#used.get(placement)?.values() ?? []) {
      if (this.#followed.find(kind)?.isSynced !== true) return `informer of ${kindText(kind)} is not synced yet`;
    }
    if (!this.#contents.isUsedBy(placement)) return undefined;
    for (const kind of this.#contents.kinds) {
      const { isSynced = false, failure } = this.#followed.find(kind) ?? {};
      const isNeeded = failure === undefined || placedKinds.has(`${kind.group}/${kind.kind}`);
      if (!isSynced && isNeeded) return `informer of ${kindText(kind)} is not synced yet`;
    }
    for (const placed of placedKinds) {
      const group = placed.slice(0, placed.indexOf('/'));
      if (this.#contents.unknownGroups.has(group)) return `discovery of ${group} fails`;
    }
    return undefined;
  }

  #groupChanged(group: string): void {
    this.#changedGroups.add(group);
    if (this.#contents.isInUse) this.#loop.add('');
    this.#options.groupChanged(group);
  }

  /** Objects may have come and gone without a change that could tell. */
  #reread(kind: Kind): void {
    this.#options.kindChanged(kind);
    if (this.#contents.has(kind)) this.#loop.add(kindText(kind));
  }

  async #discover(): Promise<number | undefined> {
    await this.#contents.refresh();
    for (const group of this.#changedGroups) if (!this.#served.isSettling(group)) this.#changedGroups.delete(group);
    if (!this.#contents.isInUse) return undefined;
    if (this.#changedGroups.size > 0) return retryMs;
    return this.#contents.unknownGroups.size > 0 ? staleMs : undefined;
  }

  /** A kind has objects that are seen for the first time: their namespaces have changed. */
  async #look(text: string): Promise<undefined> {
    const kind = this.#contents.kinds.find((known) => kindText(known) === text);
    const informer = kind && this.#followed.find(kind);
    const { turns, contentChanged } = this.#options;
    let last: string | undefined;
    for (const { key } of informer?.outlines() ?? []) {
      const { namespace } = key;
      if (turns.isOver()) await turns.next();
      if (namespace !== undefined && namespace !== last) contentChanged(namespace);
      last = namespace;
    }
  }
}

function kindsToFollow(selecting: SelectingPlacement, found: ReadonlyMap<string, DiscoveredKind>): Kind[] {
  const { key, selectors } = selecting;
  const kinds = selectors
    .map((selector) => found.get(textOf(selector)))
    .filter((kind) => kind !== undefined)
    .filter((kind) => isWatchable(kind) && (key.namespace === undefined || kind.namespaced));
  return hasWholeNamespaces(selecting) || kinds.some(dependsOnServices) ? [...kinds, services] : kinds;
}

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
