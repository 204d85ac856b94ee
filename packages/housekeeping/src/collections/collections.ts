import { isStoredBuiltin } from '@flotilla/builtins';
import { discover, type Client, type DiscoveredKind, type Discovery } from '@flotilla/client';
import {
  apiVersionOf,
  errorMessage,
  ignoreNotFound,
  type BuiltinsView,
  type Kind,
  type KubeObject,
  type LiveView,
  type Logger,
  type ObjectKey,
  type Outline,
} from '@flotilla/kube';
import {
  BuiltinsSource,
  openSource,
  outlineOf,
  type ObjectChange,
  type ObjectSource,
  type Outlined,
} from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { kindTable, nameOf } from './kind-table.ts';

export interface CollectionsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly random: () => number;
  readonly logger: Logger;
}

/** Delay before discovery. Definitions come in batches, and one discovery serves a batch. */
const minDelayMs = 20;

/** A discovery reads every kind, and there may be thousands. It takes at most this part of the time. */
const maxDiscoveryShare = 0.1;
const maxDelayMs = 500;

/** Delay after a discovery that failed. */
const retryMs = 1000;

export interface CollectionListener {
  /** Objects that exist when the watch of a kind starts are passed as changes that are not live. */
  readonly changed: (kind: Kind, change: ObjectChange) => void;
  /** Changes of some objects may have been lost while their source was stopped. */
  readonly missed: () => void;
  /** Discovery has run; the served kinds may have changed. */
  readonly discovered?: () => void;
}

interface Followed {
  readonly kind: Kind;
  readonly source: ObjectSource;
}

/** Reads of one kind in process. */
type KindView = Pick<LiveView, 'get' | 'all' | 'outline' | 'outlines'>;

/**
 * All objects that can be deleted. In process, one source has the built-in kinds, and no object is parsed. Any other kind has a
 * source of its own, started when the kind is served and stopped when it is not. Controllers for objects of every kind, custom ones
 * included, listen here.
 */
export class Collections {
  readonly #options: CollectionsOptions;
  readonly #listeners: CollectionListener[] = [];
  /** Undefined before the first discovery, and for a server in another process. */
  #builtins: BuiltinsSource | undefined;
  #hasOpenedBuiltins = false;
  readonly #followed = new Map<string, Followed>();
  /** Revisions at which sources stopped. The next source of the kind resumes there. */
  readonly #lastRevisions = new Map<string, number>();
  /** Names of kinds whose source was opened before. */
  readonly #openedBefore = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #discovery: Discovery;
  #kinds = kindTable([]);
  #cancelDiscovery: () => void = () => undefined;
  #discoveryState: 'none' | 'planned' | 'running' | 'running, and planned' = 'none';
  /** Resolves when the planned or running discovery ends. */
  #discovered = Promise.withResolvers<void>();
  #failure: string | undefined;
  #delayMs = minDelayMs;

  constructor(options: CollectionsOptions) {
    this.#options = options;
    this.#discovery = discover(options.client);
  }

  /** Must be called before `start`. */
  listen(listener: CollectionListener): void {
    this.#listeners.push(listener);
  }

  async start(): Promise<void> {
    await this.#discover();
  }

  get isAtRest(): boolean {
    if (this.#discoveryState !== 'none' || this.#builtins?.failure !== undefined) return false;
    for (const { source } of this.#followed.values()) if (source.failure !== undefined) return false;
    return true;
  }

  /** Waits for a planned or running discovery. `failure` is set if discovery failed, or failed for some groups. */
  async whenDiscovered(): Promise<{ readonly failure: string | undefined }> {
    if (this.#discoveryState !== 'none') await this.#discovered.promise;
    return { failure: this.#failure };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelDiscovery();
    this.#discovered.resolve();
    this.#builtins?.stop();
    const followed = [...this.#followed.values()];
    this.#followed.clear();
    await Promise.all(followed.map(({ source }) => source.stop()));
  }

  /** Undefined if the kind is not served. */
  kindOf(apiVersion: string, kind: string): DiscoveredKind | undefined {
    return this.#kinds.find(apiVersion, kind);
  }

  /** The preferred version of each kind, if it has all of these verbs. */
  preferred(...verbs: readonly string[]): readonly DiscoveredKind[] {
    return this.#kinds.preferred(...verbs);
  }

  /** The newest committed state. */
  async get(kind: Kind, key: ObjectKey): Promise<Readonly<KubeObject> | undefined> {
    const source = this.#viewOf(kind);
    return source === undefined ? this.#fetch(kind, key) : source.get(key);
  }

  async outline(kind: Kind, key: ObjectKey): Promise<Outline | undefined> {
    const source = this.#viewOf(kind);
    if (source !== undefined) return source.outline(key);
    const object = await this.#fetch(kind, key);
    return object && outlineOf(object);
  }

  /** Without a namespace: of all namespaces. */
  async contents(kind: Kind, namespace?: string): Promise<readonly Outlined[]> {
    const source = this.#viewOf(kind);
    const items: Outlined[] = [];
    if (source === undefined) {
      const listOptions = { metadataOnly: true, limit: 500, ...(namespace !== undefined && { namespace }) };
      for await (const object of this.#options.client.each(this.#servedAs(kind), listOptions)) {
        items.push({ key: keyOf(object), outline: outlineOf(object) });
      }
      return items;
    }
    const { turns } = this.#options;
    for (const item of source.outlines(namespace)) {
      items.push(item);
      if (turns.isOver()) await turns.next();
    }
    return items;
  }

  /** Whole objects, of all namespaces without a namespace. In process they are parsed as they are read. */
  async *objects(kind: Kind, namespace?: string): AsyncGenerator<Readonly<KubeObject>> {
    const { client, turns } = this.#options;
    if (this.#viewOf(kind) === undefined) {
      yield* client.each(this.#servedAs(kind), { limit: 500, ...(namespace !== undefined && { namespace }) });
      return;
    }
    for (const object of this.viewed(kind, namespace)) {
      yield object;
      if (turns.isOver()) await turns.next();
    }
  }

  /** The same without waiting; nothing if the source is a list and a watch. */
  viewed(kind: Kind, namespace?: string): Iterable<Readonly<KubeObject>> {
    return this.#viewOf(kind)?.all(namespace) ?? [];
  }

  viewedObject(kind: Kind, key: ObjectKey): Readonly<KubeObject> | undefined {
    return this.#viewOf(kind)?.get(key);
  }

  viewedOutline(kind: Kind, key: ObjectKey): Outline | undefined {
    return this.#viewOf(kind)?.outline(key);
  }

  /** Undefined if the source is a list and a watch, which may lag behind: then reads go to the server. */
  #viewOf(kind: Kind): KindView | undefined {
    if (this.#builtins !== undefined && isStoredBuiltin(kind)) return this.#builtins.view?.of(kind);
    const source = this.#followed.get(nameOf(kind))?.source;
    return source?.isView === true ? source : undefined;
  }

  #servedAs(kind: Kind): Kind {
    return this.#followed.get(nameOf(kind))?.kind ?? kind;
  }

  async #fetch(kind: Kind, key: ObjectKey): Promise<KubeObject | undefined> {
    return this.#options.client.get(this.#servedAs(kind), key).catch(ignoreNotFound);
  }

  /** A discovery that runs may have missed the change, so another one follows it. */
  #planDiscovery(delayMs = this.#delayMs): void {
    if (this.#stopping.signal.aborted || this.#discoveryState === 'planned') return;
    if (this.#discoveryState !== 'none') {
      this.#discoveryState = 'running, and planned';
      return;
    }
    this.#discoveryState = 'planned';
    this.#cancelDiscovery = this.#options.clock.after(delayMs, () => void this.#discover());
  }

  async #discover(): Promise<void> {
    const { clock } = this.#options;
    this.#discoveryState = 'running';
    const begin = clock.elapsed();
    const hasSucceeded = await this.#refreshKinds();
    const tookMs = clock.elapsed() - begin;
    this.#delayMs = Math.min(Math.max(minDelayMs, tookMs / maxDiscoveryShare), maxDelayMs);
    if (this.#stopping.signal.aborted) return;
    const isPlanned = this.#isPlannedAgain();
    this.#discoveryState = 'none';
    if (isPlanned || !hasSucceeded) this.#planDiscovery(hasSucceeded ? this.#delayMs : retryMs);
    if (isPlanned && hasSucceeded) return;
    this.#discovered.resolve();
    this.#discovered = Promise.withResolvers();
  }

  /** Returns false if discovery must be retried. */
  async #refreshKinds(): Promise<boolean> {
    try {
      const { kinds, stale } = await this.#discovery.refresh();
      this.#failure = discoveryFailure(stale);
      if (!this.#stopping.signal.aborted) this.#setKinds(kinds);
      return true;
    } catch (error) {
      this.#failure = errorMessage(error);
      if (!this.#stopping.signal.aborted) this.#options.logger.warn('discovery failed, retrying', { error });
      return false;
    }
  }

  #isPlannedAgain(): boolean {
    return this.#discoveryState === 'running, and planned';
  }

  #setKinds(kinds: readonly DiscoveredKind[]): void {
    this.#kinds = kindTable(kinds);
    this.#followBuiltins();
    const { followed, followedCustom } = this.#kinds;
    const wanted = new Map((this.#builtins ? followedCustom : followed).map((kind) => [nameOf(kind), kind]));
    for (const [name, followed] of this.#followed) {
      const kind = wanted.get(name);
      if (kind?.version !== followed.kind.version || kind.namespaced !== followed.kind.namespaced)
        this.#unfollow(name, followed);
    }
    for (const [name, kind] of wanted) if (!this.#followed.has(name)) this.#follow(name, kind);
    this.#notify(({ discovered }) => discovered?.());
  }

  #followBuiltins(): void {
    const { client, clock, random, logger } = this.#options;
    const { viewBuiltins } = client;
    if (viewBuiltins === undefined || this.#builtins !== undefined) return;
    this.#builtins = new BuiltinsSource({ viewBuiltins, clock, random, logger });
    this.#builtins.start({
      changed: (kind, change) => this.#changed(kind, change),
      opened: (view) => {
        if (this.#hasOpenedBuiltins) this.#notify(({ missed }) => missed());
        this.#hasOpenedBuiltins = true;
        void this.#replayBuiltins(view);
      },
    });
  }

  async #replayBuiltins(view: BuiltinsView): Promise<void> {
    const { turns } = this.#options;
    for (const { kind, key, outline } of view.outlines()) {
      if (turns.isOver()) await turns.next();
      if (this.#stopping.signal.aborted) return;
      this.#changed(kind, new ExistingObject(key, outline, () => view.of(kind)?.get(key)));
    }
  }

  #follow(name: string, kind: Kind): void {
    const { client, clock, random, logger } = this.#options;
    const after = this.#lastRevisions.get(name);
    const source = openSource({ client, clock, random, logger, kind, metadataOnly: true, after });
    const followed = { kind, source };
    this.#followed.set(name, followed);
    source.start({
      changed: (change) => this.#changed(kind, change),
      opened: () => this.#opened(name, followed),
      synced: () => {},
    });
  }

  #unfollow(name: string, { source }: Followed): void {
    const { revision } = source;
    this.#followed.delete(name);
    if (revision > 0) this.#lastRevisions.set(name, revision);
    else this.#lastRevisions.delete(name);
    void source.stop();
  }

  #opened(name: string, followed: Followed): void {
    if (this.#openedBefore.has(name)) this.#notify(({ missed }) => missed());
    this.#openedBefore.add(name);
    void this.#replayContents(name, followed);
  }

  async #replayContents(name: string, followed: Followed): Promise<void> {
    const { kind, source } = followed;
    const { turns } = this.#options;
    for (const { key, outline } of source.outlines()) {
      if (turns.isOver()) await turns.next();
      if (this.#followed.get(name) !== followed) return;
      this.#changed(kind, new ExistingObject(key, outline, () => source.get(key)));
    }
  }

  #changed(kind: Kind, change: ObjectChange): void {
    if (kind.kind === 'CustomResourceDefinition' && (change.isLive || change.isGone)) this.#planDiscovery();
    for (const { changed } of this.#listeners) changed(kind, change);
  }

  #notify(notify: (listener: CollectionListener) => void): void {
    for (const listener of this.#listeners) notify(listener);
  }
}

/** An object that exists when its source starts, as a change. */
class ExistingObject implements ObjectChange {
  readonly key: ObjectKey;
  readonly outline: Outline;
  readonly isGone = false;
  readonly isLive = false;
  readonly now: ObjectChange['now'];

  constructor(key: ObjectKey, outline: Outline, now: ObjectChange['now']) {
    this.key = key;
    this.outline = outline;
    this.now = now;
  }

  old(): undefined {
    return undefined;
  }

  hasSameOwners(): boolean {
    return false;
  }
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Kubernetes' message for groups whose servers did not answer discovery; undefined if all did. */
export function discoveryFailure(stale: readonly GroupVersion[]): string | undefined {
  if (stale.length === 0) return undefined;
  const faults = stale.map(apiVersionOf).map((name) => `${name}: stale GroupVersion discovery: ${name}`);
  const all = `unable to retrieve the complete list of server APIs: ${faults.toSorted().join(', ')}`;
  return `Discovery failed for some groups, ${stale.length} failing: ${all}`;
}

function keyOf({ metadata: { namespace, name = '' } }: KubeObject): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}
