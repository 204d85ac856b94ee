import { placementLabel, type Binding, type Placement } from '@flotilla/api';
import { keyText } from '@flotilla/kube';

/** What a cluster has, as far as a drain is concerned. */
export interface PlacedHere {
  /** Names of ClusterResourcePlacements to evict. */
  readonly evictable: readonly string[];
  /** Placements that no eviction removes, with the reason. */
  readonly kept: readonly string[];
  /** The bindings whose resources are to disappear from the cluster. */
  readonly bindings: readonly Binding[];
}

export interface FleetView {
  readonly clusterBindings: readonly Binding[];
  readonly clusterPlacements: readonly Placement[];
  readonly namespacedBindings: readonly Binding[];
}

export function placedHere(cluster: string, view: FleetView): PlacedHere {
  const fixed = new Set(view.clusterPlacements.filter(isFixed).map(({ metadata }) => metadata.name ?? ''));
  const leaving = new Set(view.clusterPlacements.filter(isLeaving).map(({ metadata }) => metadata.name ?? ''));
  const here = view.clusterBindings.filter(({ spec }) => spec.targetCluster === cluster);
  const live = [...new Set(here.filter((binding) => !isLeaving(binding)).map(placementOf))].sort();
  const namespaced = view.namespacedBindings
    .filter((binding) => binding.spec.targetCluster === cluster && !isLeaving(binding))
    .map((binding) => keyText({ namespace: binding.metadata.namespace, name: placementOf(binding) }));
  return {
    evictable: live.filter((name) => !fixed.has(name) && !leaving.has(name)),
    kept: [
      ...live.filter((name) => fixed.has(name)).map((name) => keptFixed(name, cluster)),
      ...[...new Set(namespaced)].sort().map(keptNamespaced),
    ],
    bindings: here.filter((binding) => !fixed.has(placementOf(binding)) || isLeaving(binding)),
  };
}

function keptFixed(name: string, cluster: string): string {
  return `clusterresourceplacement/${name}: its policy is PickFixed; remove ${cluster} from its clusterNames`;
}

function keptNamespaced(key: string): string {
  return `resourceplacement ${key}: only ClusterResourcePlacements can be evicted; change its policy or delete it`;
}

function isFixed({ spec }: Placement): boolean {
  return spec.policy?.placementType === 'PickFixed';
}

function isLeaving({ metadata }: Binding | Placement): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function placementOf({ metadata: { labels = {} } }: Binding): string {
  return Object.hasOwn(labels, placementLabel) ? (labels[placementLabel] ?? '') : '';
}
