/** Which clusters belong to a ManagedClusterSet, and which sets a Placement may select from. */
import { clusterSetLabel, type ManagedCluster, type ManagedClusterSet, type OcmPlacementSpec } from '@flotilla/api';
import { compareBytes, labelSelectorFrom, SelectorError, type LabelSelector } from '@flotilla/kube';

/** A set, prepared for many clusters. */
export class ClusterSet {
  readonly name: string;
  /** Undefined for a set whose clusters name it in a label. */
  readonly #selector: LabelSelector | undefined;

  constructor({ metadata: { name = '' }, spec }: Readonly<ManagedClusterSet>) {
    this.name = name;
    const { selectorType, labelSelector } = spec.clusterSelector;
    this.#selector = selectorType === 'LabelSelector' ? selectorFrom(labelSelector) : undefined;
  }

  /** Whether clusters name the set in a label. They can name only one. */
  get isExclusive(): boolean {
    return this.#selector === undefined;
  }

  has({ metadata: { labels = {} } }: Readonly<ManagedCluster>): boolean {
    if (this.#selector !== undefined) return this.#selector.matches(labels);
    return Object.hasOwn(labels, clusterSetLabel) && labels[clusterSetLabel] === this.name;
  }
}

/** OCM fails every Placement of the hub for one invalid selector. Here such a set has no clusters. */
function selectorFrom(selector: Parameters<typeof labelSelectorFrom>[0]): LabelSelector {
  try {
    return labelSelectorFrom(selector);
  } catch (error) {
    if (error instanceof SelectorError) return labelSelectorFrom(undefined);
    throw error;
  }
}

/** The sets that the Placement selects from, among those that its namespace is bound to, in the order of their names. */
export function eligibleSets({ clusterSets = [] }: Readonly<OcmPlacementSpec>, bound: readonly string[]): string[] {
  const wanted = clusterSets.length === 0 ? bound : bound.filter((name) => clusterSets.includes(name));
  return [...new Set(wanted)].sort(compareBytes);
}
