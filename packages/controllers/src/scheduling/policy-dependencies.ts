/**
 * What a placement's clusters depend on, as values of an index over policy snapshots. A change of a MemberCluster is looked up
 * there, so that it wakes only the placements that it can change.
 */
import {
  conditionOf,
  isTrueNow,
  policySnapshotConditions,
  type ClusterSelectorTerm,
  type PlacementPolicy,
  type PolicySnapshot,
} from '@flotilla/api';
import type { Indexes } from '@flotilla/runtime';
import { isLatest } from '../family/latest-snapshot.ts';

/** Values of the index. */
export const dependency = {
  /** On clusters as such: on their joining, health and taints. */
  anyCluster: 'clusters',
  cluster: (name: string) => `cluster/${name}`,
  label: (key: string) => `label/${key}`,
  property: (name: string) => `property/${name}`,
  namespace: (name: string) => `namespace/${name}`,
} as const;

export const dependencyIndex = 'cluster-dependencies';

/** For `indexes` of policy snapshots. */
export const byDependency: Indexes = {
  [dependencyIndex]: (object) => dependenciesOf(object as PolicySnapshot),
};

/** A fulfilled placement depends on nothing: its clusters stay, whatever becomes of them. PickAll is never done. */
export function dependenciesOf(snapshot: Readonly<PolicySnapshot>): ReadonlySet<string> {
  if (!isLatest(snapshot)) return none;
  const { policy = pickAll } = snapshot.spec;
  const { placementType } = policy;
  if (placementType === 'PickFixed') return new Set(missingClusters(policy, snapshot).map(dependency.cluster));
  return placementType === 'PickN' && isFulfilled(snapshot) ? none : dependenciesOfPolicy(policy, snapshot);
}

const pickAll: PlacementPolicy = { placementType: 'PickAll' };
const none: ReadonlySet<string> = new Set();

function missingClusters({ clusterNames = [] }: PlacementPolicy, { status }: PolicySnapshot) {
  const decisions = status?.targetClusters ?? [];
  const selected = new Set(decisions.flatMap((decision) => (decision.selected ? [decision.clusterName] : [])));
  return clusterNames.filter((name) => !selected.has(name));
}

function isFulfilled({ metadata, status }: Readonly<PolicySnapshot>): boolean {
  return isTrueNow(conditionOf(status?.conditions, policySnapshotConditions.scheduled), metadata.generation);
}

/** Preferences are left out: they rank clusters, and a placement that lacks clusters takes all that it can get. */
function dependenciesOfPolicy(policy: PlacementPolicy, { metadata }: Readonly<PolicySnapshot>): ReadonlySet<string> {
  const { affinity, topologySpreadConstraints = [] } = policy;
  const required = affinity?.clusterAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const found = new Set<string>([dependency.anyCluster]);
  if (metadata.namespace !== undefined) found.add(dependency.namespace(metadata.namespace));
  for (const { topologyKey } of topologySpreadConstraints) found.add(dependency.label(topologyKey));
  for (const term of required?.clusterSelectorTerms ?? []) addDependenciesOfTerm(found, term);
  return found;
}

function addDependenciesOfTerm(found: Set<string>, { labelSelector, propertySelector }: ClusterSelectorTerm): void {
  for (const key of Object.keys(labelSelector?.matchLabels ?? {})) found.add(dependency.label(key));
  for (const { key } of labelSelector?.matchExpressions ?? []) found.add(dependency.label(key));
  for (const { name } of propertySelector?.matchExpressions ?? []) found.add(dependency.property(name));
}
