import type { ManagedCluster, ManagedClusterTaint } from '@flotilla/api';
import type { CelValue } from '@flotilla/cel';
import { once, parseQuantity } from '@flotilla/kube';
import { clusterValue } from './expressions/cluster-value.ts';

type Labels = Readonly<Record<string, string>>;

const noLabels: Labels = {};
const noTaints: readonly ManagedClusterTaint[] = [];

/** A cluster as the scheduler reads it: prepared once, for the decisions of all Placements until it changes. */
export class ClusterRow {
  readonly cluster: Readonly<ManagedCluster>;
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly ManagedClusterTaint[];
  readonly #claims: () => Labels;
  readonly #value: () => CelValue;
  readonly #allocatable = new Map<string, number | undefined>();

  constructor(cluster: Readonly<ManagedCluster>) {
    this.cluster = cluster;
    this.name = cluster.metadata.name ?? '';
    this.labels = cluster.metadata.labels ?? noLabels;
    this.taints = cluster.spec?.taints ?? noTaints;
    this.#claims = once(() => claimsOf(cluster));
    this.#value = once(() => clusterValue(cluster));
  }

  /** By name. Of claims with the same name, the last counts. */
  get claims(): Labels {
    return this.#claims();
  }

  /** `managedCluster` in expressions. */
  get value(): CelValue {
    return this.#value();
  }

  /** As a double; undefined unless the cluster reports both allocatable and capacity. */
  allocatable(resource: 'cpu' | 'memory'): number | undefined {
    if (!this.#allocatable.has(resource)) this.#allocatable.set(resource, readAllocatable(this.cluster, resource));
    return this.#allocatable.get(resource);
  }
}

function claimsOf({ status }: Readonly<ManagedCluster>): Labels {
  // Entries, not assignments: a claim may have any name.
  return Object.fromEntries((status?.clusterClaims ?? []).map(({ name = '', value = '' }) => [name, value]));
}

function readAllocatable({ status }: Readonly<ManagedCluster>, resource: string): number | undefined {
  const { allocatable = {}, capacity = {} } = status ?? {};
  if (!Object.hasOwn(allocatable, resource) || !Object.hasOwn(capacity, resource)) return undefined;
  try {
    return parseQuantity(String(allocatable[resource])).toNumber();
  } catch {
    return undefined;
  }
}
