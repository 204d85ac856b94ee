/** Discovers the kinds that the member serves, and watches CustomResourceDefinitions to know when to discover again. */
import { discover, type Client, type DiscoveredKind, type Discovery } from '@flotilla/client';
import { apiVersionOf, customResourceDefinitions, type GroupVersionKind } from '@flotilla/kube';
import { NotYet, type HeldInformer, type InformerSet } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

export interface MemberKindsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly informers: InformerSet;
  /** The member may serve other kinds of this group now. */
  readonly groupChanged: (group: string) => void;
}

/** Unknown kinds cause at most one discovery in this time, unless a definition changes: a Work may have many. */
const refreshIntervalMs = 5_000;

/** Discovery shows a new kind shortly after its definition is Established. */
const settlingMs = 10_000;

export class MemberKinds {
  readonly #options: MemberKindsOptions;
  readonly #discovery: Discovery;
  #known = new Map<string, DiscoveredKind>();
  #stale: ReadonlySet<string> = new Set();
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #isOutdated = true;
  #refreshing: Promise<void> | undefined;
  readonly #changedAt = new Map<string, number>();
  readonly #held: HeldInformer;
  readonly #unsubscribe: () => void;

  constructor(options: MemberKindsOptions) {
    this.#options = options;
    this.#discovery = discover(options.client);
    this.#held = options.informers.hold(customResourceDefinitions, { metadataOnly: true });
    this.#unsubscribe = this.#held.informer.subscribe((now, old, isLive) => {
      const { name = '' } = (now ?? old)?.metadata ?? {};
      this.#changed(name.slice(name.indexOf('.') + 1), isLive);
    });
  }

  async find(gvk: GroupVersionKind): Promise<DiscoveredKind | undefined> {
    if (this.#isOutdated || this.#refreshing !== undefined) await this.#refresh();
    const found = this.#known.get(textOf(gvk));
    if (found !== undefined) return found;
    const isRecent = this.#options.clock.elapsed() - this.#refreshedAt < refreshIntervalMs;
    if (!isRecent || this.isSettling(gvk.group)) await this.#refresh();
    return this.#known.get(textOf(gvk)) ?? this.#missing(gvk);
  }

  /** Whether a definition of the group changed recently, so that a missing kind may be served soon. */
  isSettling(group: string): boolean {
    return this.#options.clock.elapsed() - (this.#changedAt.get(group) ?? Number.NEGATIVE_INFINITY) < settlingMs;
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#held.release();
  }

  /** A kind of an aggregated API server that does not answer is not missing. */
  #missing({ kind, ...version }: GroupVersionKind): undefined {
    if (!this.#stale.has(apiVersionOf(version))) return undefined;
    throw new NotYet(
      `discovery of ${apiVersionOf(version)} fails on the member, so it is unknown whether ${kind} exists`,
      refreshIntervalMs,
    );
  }

  #changed(group: string, isLive: boolean): void {
    this.#isOutdated = true;
    if (isLive) this.#changedAt.set(group, this.#options.clock.elapsed());
    this.#options.groupChanged(group);
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#discover().finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async #discover(): Promise<void> {
    // Reset before the request: the answer may lack changes that happen during it.
    this.#isOutdated = false;
    try {
      const { kinds, stale } = await this.#discovery.refresh();
      this.#stale = new Set(stale.map(apiVersionOf));
      this.#known = new Map(kinds.toReversed().map((kind) => [textOf(kind), kind]));
      this.#refreshedAt = this.#options.clock.elapsed();
    } catch (error) {
      this.#isOutdated = true;
      throw error;
    }
  }
}

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
