import { discover, type Client, type DiscoveredKind, type Discovery } from '@flotilla/client';
import {
  apiVersionOf,
  errorMessage,
  ignoreNotFound,
  qualified,
  type Kind,
  type KubeObject,
  type Logger,
  type ObjectKey,
  type Outline,
} from '@flotilla/kube';
import { openSource, outlineOf, type ObjectChange, type ObjectSource, type Outlined } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import { discoveryFailure } from './discovery-failure.ts';

export interface CollectionsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
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

export interface CollectionListener {
  /** What was there when the kind was first followed is told of as changes that are not live. */
  readonly changed: (kind: Kind, change: ObjectChange) => void;
  /** What happened to the objects of this kind meanwhile was not told, and never will be. */
  readonly missed: (kind: Kind) => void;
  /** Other kinds are served than before. */
  readonly discovered?: () => void;
}

interface Followed {
  readonly kind: Kind;
  readonly source: ObjectSource;
}

/**
 * Everything that can be deleted: one source for each kind, started when the kind appears and stopped when it goes.
 * Controllers for objects of any kind, custom ones included, listen here; in process following parses nothing.
 */
export class Collections {
  readonly #options: CollectionsOptions;
  readonly #listeners: CollectionListener[] = [];
  readonly #followed = new Map<string, Followed>();
  /** Where sources that were stopped had come to, so that the next one of the kind misses nothing. */
  readonly #left = new Map<string, number>();
  /** Kinds whose objects were told of before. */
  readonly #known = new Set<string>();
  readonly #stopping = new AbortController();
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
    if (this.#refresh !== 'none') return false;
    for (const { source } of this.#followed.values()) if (source.trouble !== undefined) return false;
    return true;
  }

  /**
   * Waits until every definition that was seen is known by what it defines. Resolves with why that, or all that others
   * serve, could not be found out.
   */
  async whenKnown(): Promise<{ readonly failure: string | undefined }> {
    if (this.#refresh !== 'none') await this.#looked.promise;
    return { failure: this.#failure };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelLook();
    this.#looked.resolve();
    const followed = [...this.#followed.values()];
    this.#followed.clear();
    await Promise.all(followed.map(({ source }) => source.stop()));
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

  /** The newest state that anybody can see. */
  async get(kind: Kind, key: ObjectKey): Promise<Readonly<KubeObject> | undefined> {
    const source = this.#viewOf(kind);
    return source === undefined ? this.#ask(kind, key) : source.get(key);
  }

  async outline(kind: Kind, key: ObjectKey): Promise<Outline | undefined> {
    const source = this.#viewOf(kind);
    if (source !== undefined) return source.outline(key);
    const object = await this.#ask(kind, key);
    return object && outlineOf(object);
  }

  /** In one namespace, or everywhere. */
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

  /** Versions of a kind hold the same objects. What a list and a watch show is a moment old, so there the server is asked. */
  #viewOf(kind: Kind): ObjectSource | undefined {
    const source = this.#followed.get(nameOf(kind))?.source;
    return source?.isView === true ? source : undefined;
  }

  #servedAs(kind: Kind): Kind {
    return this.#followed.get(nameOf(kind))?.kind ?? kind;
  }

  async #ask(kind: Kind, key: ObjectKey): Promise<KubeObject | undefined> {
    return this.#options.client.get(this.#servedAs(kind), key).catch(ignoreNotFound);
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
      this.#failure = errorMessage(error);
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
    for (const [name, followed] of this.#followed) {
      const kind = wanted.get(name);
      if (kind?.version !== followed.kind.version || kind.namespaced !== followed.kind.namespaced)
        this.#leave(name, followed);
    }
    for (const [name, kind] of wanted) if (!this.#followed.has(name)) this.#follow(name, kind);
    this.#tell(({ discovered: tell }) => tell?.());
  }

  #follow(name: string, kind: Kind): void {
    const { client, clock, random, logger } = this.#options;
    const after = this.#left.get(name);
    const source = openSource({ client, clock, random, logger, kind, metadataOnly: true, after });
    const followed = { kind, source };
    this.#followed.set(name, followed);
    source.start({
      changed: (change) => this.#changed(kind, change),
      opened: () => this.#opened(name, followed),
      synced: () => {},
    });
  }

  #leave(name: string, { source }: Followed): void {
    const { revision } = source;
    this.#followed.delete(name);
    if (revision > 0) this.#left.set(name, revision);
    else this.#left.delete(name);
    void source.stop();
  }

  #opened(name: string, followed: Followed): void {
    if (this.#known.has(name)) this.#tell(({ missed }) => missed(followed.kind));
    this.#known.add(name);
    void this.#tellContents(name, followed);
  }

  async #tellContents(name: string, followed: Followed): Promise<void> {
    const { kind, source } = followed;
    const { turns } = this.#options;
    for (const { key, outline } of source.outlines()) {
      if (turns.isOver()) await turns.next();
      if (this.#followed.get(name) !== followed) return;
      this.#changed(kind, {
        key,
        outline,
        isGone: false,
        isLive: false,
        now: () => source.get(key),
        old: () => undefined,
        hasSameOwners: () => false,
      });
    }
  }

  #changed(kind: Kind, change: ObjectChange): void {
    if (kind.kind === 'CustomResourceDefinition' && (change.isLive || change.isGone)) this.#plan();
    for (const { changed } of this.#listeners) changed(kind, change);
  }

  #tell(tell: (listener: CollectionListener) => void): void {
    for (const listener of this.#listeners) tell(listener);
  }
}

function keyOf({ metadata: { namespace, name = '' } }: KubeObject): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}

function nameOf({ plural, group }: Kind): string {
  return qualified(plural, group);
}
