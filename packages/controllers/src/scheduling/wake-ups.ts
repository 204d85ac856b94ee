/** Which placements a change concerns. Status changes of bindings and heartbeats concern none. */
import {
  numberOfClustersAnnotation,
  placementGenerationAnnotation,
  schedulerFinalizer,
  type MemberCluster,
  type PlacementFamily,
  type PolicySnapshot,
} from '@flotilla/api';
import { jsonEquals, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Watched } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { isLatest } from '../family/latest-snapshot.ts';
import { itsPlacement, placementOf } from '../family/placement-key.ts';
import type { BoundClusters } from './bound-clusters.ts';
import { candidatesFrom } from './candidate-clusters.ts';
import { changedDependencies, type ChangeOptions } from './cluster-changes.ts';
import { isDeleting } from './finalizer.ts';
import { dependenciesOf, dependencyIndex } from './policy-dependencies.ts';

type Concerns = Watched['concerns'];

/** A placement that is deleted, that has lost its finalizer, or whose candidates come from elsewhere. Its creation is followed by that of a policy snapshot. */
export const placementItself: Concerns = (now, old) => {
  if (now === undefined) return [];
  const hasFinalizer = (now.metadata.finalizers ?? []).includes(schedulerFinalizer);
  const hasOtherSource = old !== undefined && candidatesFrom(now) !== candidatesFrom(old);
  const isNews = isDeleting(now)
    ? hasFinalizer || old === undefined || !isDeleting(old)
    : !hasFinalizer || hasOtherSource;
  return isNews ? itself(now, old) : [];
};

/** A policy that is new or has changed, and a status after which more changes of clusters concern the placement. */
export const placementOfPolicy: Concerns = (now, old, cache) => {
  if (now === undefined || !isLatest(now)) return [];
  const isNew = old === undefined || !jsonEquals(policyPartsOf(now), policyPartsOf(old));
  return isNew || hasNewDependency(now, old) ? itsPlacement(now, old, cache) : [];
};

function policyPartsOf(snapshot: Readonly<KubeObject>): string[] {
  const { uid = '', generation = 0, annotations = {} } = snapshot.metadata;
  const valueOf = (key: string): string => (Object.hasOwn(annotations, key) ? (annotations[key] ?? '') : '');
  return [
    uid,
    String(generation),
    String(isLatest(snapshot)),
    valueOf(placementGenerationAnnotation),
    valueOf(numberOfClustersAnnotation),
  ];
}

/** Changes of clusters that came before the status was stored have not woken the placement. */
function hasNewDependency(now: Readonly<KubeObject>, old: Readonly<KubeObject>): boolean {
  return !dependenciesOf(now as PolicySnapshot).isSubsetOf(dependenciesOf(old as PolicySnapshot));
}

/** A binding that is deleted or gone, and one that appears although its placement is gone or going. */
export function placementOfBinding({ placement: kind }: PlacementFamily): Concerns {
  return (now, old, cache) => {
    const binding = now ?? old;
    const key = binding && placementOf(binding);
    if (binding === undefined || key === undefined) return [];
    if (now === undefined) return isDeleting(binding) ? [] : [key];
    if (isDeleting(now)) return old === undefined || !isDeleting(old) ? [key] : [];
    if (old !== undefined) return [];
    const placement = cache.get(kind, key);
    return placement === undefined || isDeleting(placement) ? [key] : [];
  };
}

/** Placements whose clusters may change with this one. */
export function placementsOfCluster(
  { policySnapshot }: PlacementFamily,
  bound: BoundClusters,
  options: ChangeOptions,
  clock: Pick<Clock, 'now'>,
): (now: KubeObject | undefined, old: KubeObject | undefined, cache: Cache) => ObjectKey[] {
  return (now, old, cache) => {
    const concerned: ObjectKey[] = [];
    for (const dependency of changedDependencies(now as MemberCluster, old as MemberCluster, options, clock.now())) {
      for (const policy of cache.indexedMetadata(policySnapshot, dependencyIndex, dependency)) {
        const placement = placementOf(policy);
        if (placement !== undefined) concerned.push(placement);
      }
    }
    if (now !== undefined) return concerned;
    return [...concerned, ...bound.placementsOn(old?.metadata.name ?? '')];
  };
}
