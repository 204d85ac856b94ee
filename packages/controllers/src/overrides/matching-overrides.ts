/** Which overrides concern a placement, and which of them a cluster. */
import type {
  ClusterResourceOverrideSnapshot,
  NamespacedName,
  OverrideSnapshot,
  ResourceOverrideSnapshot,
} from '@flotilla/api';
import { compareBytes, keyText, type ObjectKey } from '@flotilla/kube';
import type { Candidates } from './candidates.ts';
import type { ResourceIdentity } from './resource-identity.ts';
import { clustersOf, RuleError, type IsForCluster, type LabelledCluster } from './rule-clusters.ts';

/** Finds the latest snapshots of overrides that select a resource, by its `identityText`. */
export interface OverrideFinder {
  cluster(identity: string): Iterable<Readonly<ClusterResourceOverrideSnapshot>>;
  namespaced(identity: string): Iterable<Readonly<ResourceOverrideSnapshot>>;
}

/** Overrides for the resources of a placement, whatever the cluster. */
export interface MatchingOverrides {
  /** In the order of their names. */
  readonly cluster: readonly MatchingOverride[];
  /** In the order of their namespaces and names. */
  readonly namespaced: readonly MatchingOverride[];
}

export interface MatchingOverride {
  readonly namespace: string;
  readonly name: string;
  readonly isFor: IsForCluster;
  /** Whether the override names the placement: then a change of it starts a rollout. */
  readonly isReferenced: boolean;
}

export const noOverrides: MatchingOverrides = { cluster: [], namespaced: [] };

/** The names of override snapshots, as a binding lists them. */
export interface OverrideNames {
  readonly clusterResourceOverrideSnapshots: string[];
  readonly resourceOverrideSnapshots: NamespacedName[];
}

/** The overrides that select one of the candidates, and are for this placement or for all. */
export function matchingOverrides(
  placement: ObjectKey,
  candidates: Candidates,
  find: OverrideFinder,
): MatchingOverrides {
  const isConcerned = (snapshot: Readonly<OverrideSnapshot>): boolean => {
    const named = placementNamedBy(snapshot);
    return named === undefined || (named.namespace === placement.namespace && named.name === placement.name);
  };
  return {
    cluster: sortedMatches([...candidates.cluster].flatMap((one) => [...find.cluster(one)]).filter(isConcerned)),
    namespaced: sortedMatches(
      [...candidates.namespaced].flatMap((one) => [...find.namespaced(one)]).filter(isConcerned),
    ),
  };
}

/** The placement that an override is for; undefined if it is for all. A change of the override reaches that placement at once. */
export function placementNamedBy({ metadata, spec }: Readonly<OverrideSnapshot>): ObjectKey | undefined {
  const { placement } = spec.overrideSpec;
  if (placement === undefined) return undefined;
  return { namespace: placement.scope === 'Namespaced' ? metadata.namespace : undefined, name: placement.name };
}

/** An override that selects several of the candidates counts once. */
function sortedMatches(snapshots: readonly Readonly<OverrideSnapshot>[]): MatchingOverride[] {
  const found = new Map(snapshots.map((snapshot) => [keyText(keyOf(snapshot)), snapshot]));
  return [...found.values()]
    .map((snapshot) => ({
      ...keyOf(snapshot),
      isFor: isForCluster(snapshot),
      isReferenced: placementNamedBy(snapshot) !== undefined,
    }))
    .sort((a, b) => compareBytes(a.namespace, b.namespace) || compareBytes(a.name, b.name));
}

function keyOf({ metadata: { namespace = '', name = '' } }: Readonly<OverrideSnapshot>) {
  return { namespace, name };
}

/** An invalid rule counts as one for every cluster: then the works controller reports it there. Otherwise it would go unseen. */
function isForCluster({ spec }: Readonly<OverrideSnapshot>): IsForCluster {
  try {
    const rules = (spec.overrideSpec.policy?.overrideRules ?? []).map(clustersOf);
    return (cluster) => rules.some((isRuleFor) => isRuleFor(cluster));
  } catch (error) {
    if (error instanceof RuleError) return () => true;
    throw error;
  }
}

/** The override snapshots for a cluster: those with a rule for it. */
export function overridesFor(cluster: LabelledCluster, overrides: MatchingOverrides): OverrideNames {
  return {
    clusterResourceOverrideSnapshots: overrides.cluster.filter(({ isFor }) => isFor(cluster)).map(({ name }) => name),
    resourceOverrideSnapshots: overrides.namespaced
      .filter(({ isFor }) => isFor(cluster))
      .map(({ namespace, name }) => ({ name, namespace })),
  };
}

/** The resources that a snapshot selects. Overrides select by name alone. */
export function selectedIdentities({ metadata, spec }: Readonly<OverrideSnapshot>): ResourceIdentity[] {
  const { overrideSpec } = spec;
  if ('resourceSelectors' in overrideSpec) {
    const namespace = metadata.namespace ?? '';
    return overrideSpec.resourceSelectors.map(({ group, version, kind, name }) => ({
      group,
      version,
      kind,
      namespace,
      name,
    }));
  }
  return overrideSpec.clusterResourceSelectors.map(({ group, version, kind, name = '' }) => ({
    group,
    version,
    kind,
    namespace: '',
    name,
  }));
}
