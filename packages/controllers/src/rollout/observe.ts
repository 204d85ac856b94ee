/** Reads what a rollout depends on. */
import {
  clusterResourceOverrideSnapshots,
  memberClusters,
  numberOfSnapshotsAnnotation,
  resourceOverrideSnapshots,
  type Binding,
  type OverrideSnapshot,
  type Placement,
  type PlacementFamily,
} from '@flotilla/api';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Cache } from '@flotilla/runtime';
import { groupOf, latestMasterOf } from '../family/latest-snapshot.ts';
import { isOfAnother } from '../family/owner.ts';
import type { StartedRollouts } from '../family/started-rollouts.ts';
import { metadataOfPlacement, ofPlacement } from '../family/placement-key.ts';
import { candidatesAmong } from '../overrides/candidates.ts';
import {
  matchingOverrides,
  overridesFor,
  placementNamedBy,
  type OverrideNames,
} from '../overrides/matching-overrides.ts';
import { hasOverrides, namedIn, overrideFinder } from '../overrides/override-indexes.ts';
import type { IsClusterScoped } from '../overrides/resource-identity.ts';
import type { RolloutState } from './decide.ts';
import type { PlacedResources } from './placed-resources.ts';
import type { WantedOverrides } from './wanted-overrides.ts';

export interface RolloutSettings {
  readonly isClusterScoped: IsClusterScoped;
  /** Undefined if works does not run in this process. */
  readonly started?: StartedRollouts | undefined;
}

export interface Observer extends RolloutSettings {
  readonly family: PlacementFamily;
  readonly placed: PlacedResources;
}

export type FirstRollout = (created: readonly Readonly<Binding>[]) => RolloutState;

/** Undefined for placements that are not rolled out: missing, being deleted, left to update runs, without clusters. */
export function observeRollout(key: ObjectKey, cache: Cache, observer: Observer): RolloutState | undefined {
  const { family, started } = observer;
  const placement = cache.get(family.placement, key);
  if (placement === undefined || placement.metadata.deletionTimestamp !== undefined) return undefined;
  if (isLeftToRuns(placement)) return undefined;
  const bindings = ofPlacement(cache, family.binding, key);
  if (bindings.length === 0) return undefined;
  const resources = latestResources({ key, placement, bindings, cache, observer });
  return {
    family,
    placement,
    resources,
    isWithWorks: started !== undefined,
    ...(started?.left(bindings) ?? { bindings }),
  };
}

/**
 * What the first rollout of a placement without bindings depends on, once it is known which the scheduler creates. Undefined if the
 * rollout is left to update runs.
 */
export function observeFirstRollout(
  key: ObjectKey,
  placement: Readonly<Placement>,
  cache: Cache,
  observer: Observer,
): FirstRollout | undefined {
  if (isLeftToRuns(placement)) return undefined;
  const { family, started } = observer;
  return (bindings) => {
    const resources = latestResources({ key, placement, bindings, cache, observer });
    return { family, placement, bindings, resources, isWithWorks: started !== undefined };
  };
}

export function isLeftToRuns({ spec }: Readonly<Placement>): boolean {
  return spec.strategy?.type === 'External';
}

interface Scene {
  readonly key: ObjectKey;
  readonly placement: Readonly<Placement>;
  readonly bindings: readonly Readonly<Binding>[];
  readonly cache: Cache;
  readonly observer: Observer;
}

function latestResources(scene: Scene): RolloutState['resources'] {
  const { key, placement, cache, observer } = scene;
  const snapshots = metadataOfPlacement(cache, observer.family.resourceSnapshot, key).filter(
    (snapshot) => !isOfAnother(snapshot, placement.metadata.uid),
  );
  const master = latestMasterOf(snapshots);
  if (master === undefined) return undefined;
  const group = groupOf(master, snapshots);
  if (!isComplete(master, group)) return undefined;
  const latest = master.metadata.name ?? '';
  if (!hasOverrides(cache)) return { latest, overrides: noOverrides };
  const overrides = wantedOverrides(scene, group);
  return overrides === undefined ? 'unread' : { latest, overrides };
}

/** The snapshots of a group are created one after another. Works of an incomplete one would fail. */
function isComplete({ metadata: { annotations = {} } }: Readonly<KubeObject>, group: readonly unknown[]): boolean {
  const number = Object.hasOwn(annotations, numberOfSnapshotsAnnotation)
    ? Number(annotations[numberOfSnapshotsAnnotation])
    : 1;
  return !(group.length < number);
}

const noOverrides: WantedOverrides = { byCluster: 'none', unreferenced: new Set() };

/** Undefined if the snapshots are not read yet. */
function wantedOverrides(scene: Scene, group: readonly Readonly<KubeObject>[]): WantedOverrides | undefined {
  const { key, bindings, cache, observer } = scene;
  const names = new Map(group.map(({ metadata }) => [metadata.uid ?? '', metadata.name ?? '']));
  const placed = observer.placed.of([...names.keys()], (uid) =>
    cache.get(observer.family.resourceSnapshot, { namespace: key.namespace, name: names.get(uid) ?? '' }),
  );
  if (placed === undefined) return undefined;
  const matching = matchingOverrides(key, candidatesAmong(placed, observer.isClusterScoped), overrideFinder(cache));
  const unreferenced = unreferencedAmong(bindings.flatMap(namedIn), cache);
  if (matching.cluster.length + matching.namespaced.length === 0) return { byCluster: 'none', unreferenced };
  const byCluster = new Map<string, OverrideNames>();
  for (const name of new Set(bindings.map(({ spec }) => spec.targetCluster))) {
    const cluster = cache.get(memberClusters, { name });
    if (cluster !== undefined) byCluster.set(name, overridesFor(cluster, matching));
  }
  for (const { isReferenced, ...snapshot } of [...matching.cluster, ...matching.namespaced]) {
    if (!isReferenced) unreferenced.add(keyText(snapshot));
  }
  return { byCluster, unreferenced };
}

/** Those of these snapshots that exist and name no placement. */
function unreferencedAmong(names: readonly string[], cache: Cache): Set<string> {
  return new Set(
    [...new Set(names)].filter((text) => {
      const snapshot = snapshotNamed(text, cache);
      return snapshot !== undefined && placementNamedBy(snapshot) === undefined;
    }),
  );
}

function snapshotNamed(text: string, cache: Cache): Readonly<OverrideSnapshot> | undefined {
  const [name = '', namespace] = text.split('/').reverse();
  return namespace === undefined
    ? cache.get(clusterResourceOverrideSnapshots, { name })
    : cache.get(resourceOverrideSnapshots, { namespace, name });
}
