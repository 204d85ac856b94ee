/** Discovers the kinds that a server serves, and watches the objects that define kinds to know when to discover again. */
import { discover, type Client, type DiscoveredKind, type DiscoveredKinds, type Discovery } from '@flotilla/client';
import {
  apiVersionOf,
  customResourceDefinitions,
  type GroupVersionKind,
  type Kind,
  type ObjectKey,
} from '@flotilla/kube';
import type { Clock } from '@flotilla/timing';
import { NotYet } from './failures.ts';
import type { HeldInformer, InformerSet } from './informer/informer-set.ts';

export interface ServedKindsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly informers: InformerSet;
  /** The kinds whose objects define kinds. The name of such an object ends with the group. Default: CustomResourceDefinitions. */
  readonly definers?: readonly Kind[];
}

/** The server may serve other kinds of this group now. */
export type GroupListener = (group: string) => void;

/** Unknown kinds cause at most one discovery in this time, unless a definition changes: a Work may have many. */
const refreshIntervalMs = 5_000;

/** Discovery shows a new kind shortly after its definition is Established. */
const settlingMs = 10_000;

export class ServedKinds {
  readonly #options: ServedKindsOptions;
  readonly #discovery: Discovery;
  #all: DiscoveredKinds = { kinds: [], stale: [] };
  #known: ReadonlyMap<string, DiscoveredKind> = new Map();
  #stale: ReadonlySet<string> = new Set();
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #isOutdated = true;
  #refreshing: Promise<void> | undefined;
  readonly #changedAt = new Map<string, number>();
  readonly #listeners = new Set<GroupListener>();
  #held: readonly HeldInformer[] = [];
  #unfollow: readonly (() => void)[] = [];

  constructor(options: ServedKindsOptions) {
    this.#options = options;
    this.#discovery = discover(options.client);
  }

  /** Calls the listener when definitions of a group change, from the first discovery on. Call the result to stop. */
  onGroupChanged(listener: GroupListener): () => void {
    const added: GroupListener = (group) => listener(group);
    this.#listeners.add(added);
    return () => this.#listeners.delete(added);
  }

  /** Throws NotYet if discovery of the group fails, because the kind may exist then. */
  async find(gvk: GroupVersionKind): Promise<DiscoveredKind | undefined> {
    await this.all();
    const found = this.#known.get(textOf(gvk));
    if (found !== undefined) return found;
    const isRecent = this.#options.clock.elapsed() - this.#refreshedAt < refreshIntervalMs;
    if (!isRecent || this.isSettling(gvk.group)) await this.#refresh();
    return this.#known.get(textOf(gvk)) ?? this.#missing(gvk);
  }

  /** As of the last discovery, without another one. */
  known(gvk: GroupVersionKind): DiscoveredKind | undefined {
    return this.#known.get(textOf(gvk));
  }

  /** Discovers again if a definition has changed, or if some versions were stale. */
  async all(): Promise<DiscoveredKinds> {
    if (this.#held.length === 0) this.#follow();
    const isRecent = this.#options.clock.elapsed() - this.#refreshedAt < refreshIntervalMs;
    if (this.#stale.size > 0 && !isRecent) this.#isOutdated = true;
    while (this.#isOutdated || this.#refreshing !== undefined) await this.#refresh();
    return this.#all;
  }

  /** Whether a definition of the group changed recently, so that a missing kind may be served soon. */
  isSettling(group: string): boolean {
    return this.#options.clock.elapsed() - (this.#changedAt.get(group) ?? Number.NEGATIVE_INFINITY) < settlingMs;
  }

  async stop(): Promise<void> {
    for (const end of this.#unfollow) end();
    await Promise.all(this.#held.map(({ release }) => release()));
  }

  /** A kind of an aggregated API server that does not answer is not missing. */
  #missing({ kind, ...version }: GroupVersionKind): undefined {
    if (!this.#stale.has(apiVersionOf(version))) return undefined;
    throw new NotYet(
      `discovery of ${apiVersionOf(version)} fails, so it is unknown whether ${kind} exists`,
      refreshIntervalMs,
    );
  }

  /** From the first question on: until then it costs nothing. */
  #follow(): void {
    const { informers, definers = [customResourceDefinitions] } = this.#options;
    this.#held = definers.map((kind) => informers.hold(kind, { metadataOnly: true }));
    this.#unfollow = this.#held.map(({ informer }) =>
      informer.follow({
        changed: ({ key, isLive }) => this.#changed(key, isLive),
        reopened: () => {
          for (const { key } of informer.outlines()) this.#changed(key, false);
        },
      }),
    );
  }

  #changed({ name }: ObjectKey, isLive: boolean): void {
    const group = name.slice(name.indexOf('.') + 1);
    this.#isOutdated = true;
    if (isLive) this.#changedAt.set(group, this.#options.clock.elapsed());
    for (const listener of this.#listeners) listener(group);
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#discover().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #discover(): Promise<void> {
    // Reset before the request: the answer may lack changes that happen during it.
    this.#isOutdated = false;
    try {
      const found = await this.#discovery.refresh();
      this.#all = found;
      this.#stale = new Set(found.stale.map(apiVersionOf));
      this.#known = byText(found);
      this.#refreshedAt = this.#options.clock.elapsed();
    } catch (error) {
      this.#isOutdated = true;
      throw error;
    }
  }
}

/** Servers of this process with equal kinds share them, and so what follows from them. */
const knownKinds = new WeakMap<DiscoveredKinds, ReadonlyMap<string, DiscoveredKind>>();

function byText(all: DiscoveredKinds): ReadonlyMap<string, DiscoveredKind> {
  let known = knownKinds.get(all);
  if (known === undefined) {
    known = new Map(all.kinds.toReversed().map((kind) => [textOf(kind), kind]));
    knownKinds.set(all, known);
  }
  return known;
}

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
