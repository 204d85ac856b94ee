import type { MemberCluster, Taint } from '@flotilla/api';
import { amountIn, type Amount } from './amount.ts';
import { healthOf, type AgentHealth } from './eligibility.ts';
import type { ClusterFacts } from './plugin.ts';
import { propertyText } from './property.ts';

/** A property whose value is not a quantity. */
export class Unreadable {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const noLabels: Readonly<Record<string, string>> = {};
const noTaints: readonly Taint[] = [];

/** A cluster as the scheduler reads it: prepared once, for the decisions of all placements until it changes. */
export class ClusterRow implements ClusterFacts {
  readonly cluster: Readonly<MemberCluster>;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly health: AgentHealth;
  readonly #readings = new Map<string, Amount | Unreadable>();

  constructor(cluster: Readonly<MemberCluster>) {
    this.cluster = cluster;
    this.name = cluster.metadata.name ?? '';
    this.labels = cluster.metadata.labels ?? noLabels;
    this.taints = cluster.spec.taints ?? noTaints;
    this.health = healthOf(cluster);
  }

  get isLeaving(): boolean {
    return this.cluster.metadata.deletionTimestamp !== undefined;
  }

  label(key: string): string | undefined {
    return Object.hasOwn(this.labels, key) ? this.labels[key] : undefined;
  }

  /** The value of a property; undefined if the cluster does not report it. */
  reading(property: string): Amount | Unreadable | undefined {
    const known = this.#readings.get(property);
    if (known !== undefined) return known;
    const reading = this.#read(property);
    // Policies name properties freely: only those are kept that the cluster reports.
    if (reading !== undefined) this.#readings.set(property, reading);
    return reading;
  }

  number(property: string): number | undefined {
    const reading = this.reading(property);
    return reading === undefined || reading instanceof Unreadable ? undefined : reading.approximate;
  }

  #read(property: string): Amount | Unreadable | undefined {
    const text = propertyText(this.cluster, property);
    return text === undefined ? undefined : (amountIn(text) ?? new Unreadable(text));
  }
}
