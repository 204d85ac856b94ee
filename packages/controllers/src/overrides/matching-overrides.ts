/** Which overrides concern a placement, and which of them a cluster. */
import {
  overrideIndexLabel,
  overrideLabel,
  type ClusterResourceOverrideSnapshot,
  type MemberCluster,
  type NamespacedName,
  type OverrideSnapshot,
  type ResourceOverrideSnapshot,
} from '@flotilla/api';
import { compareBytes, type ObjectKey } from '@flotilla/kube';
import { indexIn, isLatest } from '../family/latest-snapshot.ts';
import type { Candidates } from './candidates.ts';
import { identityText, type ResourceIdentity } from './resource-identity.ts';
import { clustersOf, RuleError, type IsForCluster } from './rule-clusters.ts';

/** Finds the snapshots that select a resource by its `identityText`. They may be outdated. */
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
}

export const noOverrides: MatchingOverrides = { cluster: [], namespaced: [] };

/** The names of override snapshots, as a binding lists them. */
export interface OverrideNames {
  readonly clusterResourceOverrideSnapshots: string[];
  readonly resourceOverrideSnapshots: NamespacedName[];
}

/** The latest snapshots that select one of the candidates, and are for this placement or for all. */
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

function sortedMatches(snapshots: readonly Readonly<OverrideSnapshot>[]): MatchingOverride[] {
  return newestOfEach(snapshots)
    .map((snapshot) => ({
      namespace: snapshot.metadata.namespace ?? '',
      name: snapshot.metadata.name ?? '',
      isFor: isForCluster(snapshot),
    }))
    .sort((a, b) => compareBytes(a.namespace, b.namespace) || compareBytes(a.name, b.name));
}

/** While an override changes, the new snapshot and the one before it are both labelled as the latest. The new one counts. */
function newestOfEach(snapshots: readonly Readonly<OverrideSnapshot>[]): Readonly<OverrideSnapshot>[] {
  const newest = new Map<string, Readonly<OverrideSnapshot>>();
  for (const snapshot of snapshots) {
    if (!isLatest(snapshot)) continue;
    const override = overrideKeyOf(snapshot);
    const other = newest.get(override);
    if (other === undefined || indexOf(other) < indexOf(snapshot)) newest.set(override, snapshot);
  }
  return [...newest.values()];
}

/** A snapshot without the label stands for itself. */
function overrideKeyOf({ metadata: { namespace = '', name = '', labels = {} } }: Readonly<OverrideSnapshot>): string {
  const override = Object.hasOwn(labels, overrideLabel) ? labels[overrideLabel] : undefined;
  return override === undefined ? `${namespace}/ ${name}` : `${namespace}/${override}`;
}

function indexOf(snapshot: Readonly<OverrideSnapshot>): number {
  return indexIn(snapshot, overrideIndexLabel) ?? -1;
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
export function overridesFor(cluster: Readonly<MemberCluster>, overrides: MatchingOverrides): OverrideNames {
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

/** For an index of the latest snapshots by the resources that they select. */
export function selectedTexts(snapshot: Readonly<OverrideSnapshot>): string[] {
  return isLatest(snapshot) ? selectedIdentities(snapshot).map(identityText) : [];
}
