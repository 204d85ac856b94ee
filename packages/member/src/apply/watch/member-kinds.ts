/** Which kinds the member has. Kinds come and go with definitions, so these are watched. */
import { discover, type Client, type DiscoveredKind, type Discovery } from '@flotilla/client';
import { apiVersionOf, customResourceDefinitions, type GroupVersionKind } from '@flotilla/kube';
import { NotYet, type HeldInformer, type InformerSet } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';

export interface MemberKindsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly informers: InformerSet;
  /** Kinds of this group may be there now that were not, or the other way round. */
  readonly groupChanged: (group: string) => void;
}

/** A kind that was not found is not asked for again so soon, unless a definition changes: a Work may name many. */
const patienceMs = 5_000;

/** A server shows a new kind a moment after its definition says that it is there. */
const settlingMs = 10_000;

export class MemberKinds {
  readonly #options: MemberKindsOptions;
  readonly #discovery: Discovery;
  #known = new Map<string, DiscoveredKind>();
  #stale: ReadonlySet<string> = new Set();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isOutdated = true;
  #looking: Promise<void> | undefined;
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
    if (this.#isOutdated || this.#looking !== undefined) await this.#look();
    const found = this.#known.get(textOf(gvk));
    if (found !== undefined) return found;
    const hasPatience = !this.isSettling(gvk.group) && this.#options.clock.now() - this.#lookedAt < patienceMs;
    if (!hasPatience) await this.#look();
    return this.#known.get(textOf(gvk)) ?? this.#missing(gvk);
  }

  /** Whether a definition of the group changed a moment ago, so that a kind that is missing may appear any moment. */
  isSettling(group: string): boolean {
    return this.#options.clock.now() - (this.#changedAt.get(group) ?? Number.NEGATIVE_INFINITY) < settlingMs;
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#held.release();
  }

  /** Kinds whose own server cannot be asked at the moment are not gone. */
  #missing({ kind, ...version }: GroupVersionKind): undefined {
    if (!this.#stale.has(apiVersionOf(version))) return undefined;
    throw new NotYet(
      `the member cannot say at the moment whether it has ${kind} in ${apiVersionOf(version)}`,
      patienceMs,
    );
  }

  #changed(group: string, isLive: boolean): void {
    this.#isOutdated = true;
    if (isLive) this.#changedAt.set(group, this.#options.clock.now());
    this.#options.groupChanged(group);
  }

  #look(): Promise<void> {
    this.#looking ??= this.#readKinds().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #readKinds(): Promise<void> {
    // What changes from now on may not be in the answer.
    this.#isOutdated = false;
    try {
      const { kinds, stale } = await this.#discovery.refresh();
      this.#stale = new Set(stale.map(apiVersionOf));
      this.#known = new Map(kinds.toReversed().map((kind) => [textOf(kind), kind]));
      this.#lookedAt = this.#options.clock.now();
    } catch (error) {
      this.#isOutdated = true;
      throw error;
    }
  }
}

function textOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
