import { discover, type Client, type DiscoveredKind, type Discovery } from '@flotilla/client';
import {
  apiVersionOf,
  qualified,
  type Kind,
  type KubeObject,
  type LiveView,
  type Logger,
  type ObjectKey,
  type Outline,
} from '@flotilla/kube';
import { InformerSet } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import type { Collection, CollectionChange, CollectionListener, Item } from './collection.ts';
import { discoveryFailure } from './discovery-failure.ts';
import { ListedCollection } from './listed-collection.ts';
import { ViewedCollection } from './viewed-collection.ts';

export interface CollectionsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Definitions come in crowds: they are looked at together. */
const gatheringMs = 20;

/** While they come, looking takes at most this part of the time: a look tells of every kind, and there may be thousands. */
const lookingShare = 0.1;
const longestGatheringMs = 500;

/** After a discovery that failed. */
const retryMs = 1000;

/**
 * Everything that can be deleted: one collection for each kind, opened when the kind appears and closed when it goes.
 * Whoever cares for objects of any kind, custom ones included, listens here; following costs those who write nothing.
 */
export class Collections {
  readonly #options: CollectionsOptions;
  readonly #listeners: CollectionListener[] = [];
  /** Of every collection. */
  readonly #listener: CollectionListener = {
    changed: (change) => this.#changed(change),
    missed: (kind) => this.#tell(({ missed: tell }) => tell(kind)),
  };
  readonly #followed = new Map<string, Collection>();
  /** Where views that ended were followed to, so that the next one of the kind misses nothing. */
  readonly #left = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #informers: InformerSet;
  readonly #discovery: Discovery;
  #kinds: readonly DiscoveredKind[] = [];
  #byName: ReadonlyMap<string, DiscoveredKind> = new Map();
  #cancelLook: () => void = () => undefined;
  #refresh: 'none' | 'planned' | 'running' | 'running, and planned' = 'none';
  /** Settled when the look that is planned or running is over. */
  #looked = Promise.withResolvers<void>();
  #failure: string | undefined;
  #gatheringMs = gatheringMs;

  constructor(options: CollectionsOptions) {
    this.#options = options;
    this.#informers = new InformerSet(options);
    this.#discovery = discover(options.client);
  }

  /** Before `start`. */
  listen(listener: CollectionListener): void {
    this.#listeners.push(listener);
  }

  async start(): Promise<void> {
    await this.#look();
  }

  get isAtRest(): boolean {
    return this.#refresh === 'none';
  }

  /**
   * Waits until every definition that was seen is known by what it defines. Resolves with why that, or all that others
   * serve, could not be found out.
   */
  async whenKnown(): Promise<{ readonly failure: string | undefined }> {
    if (this.#refresh !== 'none') await this.#looked.promise;
    return { failure: this.#failure };
  }

  stop(): void {
    this.#stopping.abort();
    this.#cancelLook();
    this.#looked.resolve();
    for (const collection of this.#followed.values()) collection.stop();
    this.#followed.clear();
  }

  /** What a reference means by these names; undefined where nothing of the kind is served. */
  kindOf(apiVersion: string, kind: string): DiscoveredKind | undefined {
    return this.#byName.get(`${apiVersion} ${kind}`);
  }

  /** Of each kind the preferred version, where it has all of these verbs. */
  preferred(...verbs: readonly string[]): readonly DiscoveredKind[] {
    const seen = new Set<string>();
    return this.#kinds.filter((kind) => {
      const name = nameOf(kind);
      if (seen.has(name)) return false;
      seen.add(name);
      return verbs.every((verb) => kind.verbs.includes(verb));
    });
  }

  get(kind: Kind, key: ObjectKey): Promise<Readonly<KubeObject> | undefined> {
    return this.#open(kind).get(key);
  }

  outline(kind: Kind, key: ObjectKey): Promise<Outline | undefined> {
    return this.#open(kind).outline(key);
  }

  /** In one namespace, or everywhere. */
  contents(kind: Kind, namespace?: string): Promise<readonly Item[]> {
    return this.#open(kind).contents(namespace);
  }

  /** Versions of a kind hold the same objects. Kinds that nobody can follow can still be asked for. */
  #open(kind: Kind): Collection {
    return this.#followed.get(nameOf(kind)) ?? new ListedCollection(kind, this.#options.client);
  }

  /** Now if nobody looks, else once that is over. */
  #plan(delayMs = this.#gatheringMs): void {
    if (this.#stopping.signal.aborted || this.#refresh === 'planned') return;
    if (this.#refresh !== 'none') {
      this.#refresh = 'running, and planned';
      return;
    }
    this.#refresh = 'planned';
    this.#cancelLook = this.#options.clock.after(delayMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { clock } = this.#options;
    this.#refresh = 'running';
    const begin = clock.now();
    const isFound = await this.#find();
    const tookMs = clock.now() - begin;
    this.#gatheringMs = Math.min(Math.max(gatheringMs, tookMs / lookingShare), longestGatheringMs);
    if (this.#stopping.signal.aborted) return;
    const isPlanned = this.#isPlannedAgain();
    this.#refresh = 'none';
    if (isPlanned || !isFound) this.#plan(isFound ? this.#gatheringMs : retryMs);
    if (isPlanned && isFound) return;
    this.#looked.resolve();
    this.#looked = Promise.withResolvers();
  }

  /** False when it must be tried again. */
  async #find(): Promise<boolean> {
    try {
      const { kinds, stale } = await this.#discovery.refresh();
      this.#failure = discoveryFailure(stale);
      if (!this.#stopping.signal.aborted) this.#take(kinds);
      return true;
    } catch (error) {
      this.#failure = error instanceof Error ? error.message : String(error);
      if (!this.#stopping.signal.aborted) this.#options.logger.warn('discovery failed', { error });
      return false;
    }
  }

  #isPlannedAgain(): boolean {
    return this.#refresh === 'running, and planned';
  }

  #take(discovered: readonly DiscoveredKind[]): void {
    this.#kinds = discovered;
    this.#byName = new Map(discovered.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind]));
    const wanted = new Map(this.preferred('delete', 'list', 'watch').map((kind) => [nameOf(kind), kind]));
    for (const [name, collection] of this.#followed) {
      const kind = wanted.get(name);
      if (kind?.version === collection.kind.version && kind.namespaced === collection.kind.namespaced) continue;
      collection.stop();
      this.#followed.delete(name);
    }
    for (const [name, kind] of wanted) if (!this.#followed.has(name)) this.#follow(name, kind);
    this.#tell(({ discovered: tell }) => tell?.());
  }

  #follow(name: string, kind: Kind): void {
    const { client, logger } = this.#options;
    try {
      const view = client.view?.(kind);
      if (view === undefined) this.#followByWatch(name, kind);
      else this.#followView(name, kind, view);
    } catch (error) {
      // It went while we looked.
      logger.debug('a kind cannot be followed', { kind: name, error });
      this.#plan(retryMs);
    }
  }

  #followView(name: string, kind: Kind, view: LiveView): void {
    const collection: ViewedCollection = new ViewedCollection({
      kind,
      view,
      listener: this.#listener,
      after: this.#left.get(name),
      ended: () => this.#leave(name, collection.revision),
    });
    this.#followed.set(name, collection);
    collection.begin();
  }

  #followByWatch(name: string, kind: Kind): void {
    const collection = new ListedCollection(kind, this.#options.client);
    this.#followed.set(name, collection);
    collection.follow(this.#informers.hold(kind, { metadataOnly: true }), this.#listener);
  }

  #leave(name: string, revision: number): void {
    this.#followed.delete(name);
    this.#left.set(name, revision);
    this.#plan();
  }

  #changed(change: CollectionChange): void {
    if (change.kind.kind === 'CustomResourceDefinition' && change.type !== 'FOUND') this.#plan();
    this.#tell(({ changed }) => changed(change));
  }

  #tell(tell: (listener: CollectionListener) => void): void {
    for (const listener of this.#listeners) tell(listener);
  }
}

function nameOf({ plural, group }: Kind): string {
  return qualified(plural, group);
}
