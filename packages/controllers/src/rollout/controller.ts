import {
  bindingConditions,
  clusterResourceOverrideSnapshots,
  memberClusters,
  resourceOverrideSnapshots,
  type Binding,
  type OverrideSnapshot,
  type PlacementFamily,
} from '@flotilla/api';
import { jsonEquals, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Controller, type Indexes, type Watched } from '@flotilla/runtime';
import { currentCondition } from '../family/binding-progress.ts';
import { byPlacement, countOfPlacement, itsPlacement, placementOf } from '../family/placement-key.ts';
import { placementNamedBy } from '../overrides/matching-overrides.ts';
import {
  bindingsNaming,
  byNamedOverrides,
  hasOverrides,
  overrideSnapshotIndexes,
} from '../overrides/override-indexes.ts';
import { decideRollout, type RolloutState } from './decide.ts';
import { observeRollout, type RolloutSettings } from './observe.ts';
import { PlacedResources } from './placed-resources.ts';

/** Rolls out the placements of one family. */
export function rolloutController(family: PlacementFamily, settings: RolloutSettings): Controller<RolloutState> {
  const observer = { ...settings, family, placed: new PlacedResources() };
  return {
    name:
      family.scope === 'Cluster'
        ? 'cluster-resource-placement-rollout-controller'
        : 'resource-placement-rollout-controller',
    workers: 16,
    watches: [
      { kind: family.placement, concerns: itselfUnlessStatus },
      {
        kind: family.binding,
        concerns: ofRelevantChange,
        indexes: { ...byPlacement, ...byNamedOverrides, ...byCluster },
        afterMs: (key, cache) => batchingMs(countOfPlacement(cache, family.binding, key)),
      },
      { kind: family.resourceSnapshot, concerns: itsPlacement, indexes: byPlacement, keepsMetadata: true },
      ...[clusterResourceOverrideSnapshots, resourceOverrideSnapshots].map((kind) => ({
        kind,
        concerns: ofOverride(family),
        indexes: overrideSnapshotIndexes,
      })),
      { kind: memberClusters, concerns: ofLabels(family), metadataOnly: true },
    ],
    observe: (key, cache) => observeRollout(key, cache, observer),
    decide: decideRollout,
  };
}

/** Bindings of a placement change together. Many of them take longer to do so, and longer to decide about. */
function batchingMs(bindings: number): number {
  return Math.min(25, 1 + bindings / 10);
}

/** Every change of the spec counts. Changes of the status do not: the controller does not read it. */
const itselfUnlessStatus: Watched['concerns'] = (now, old) =>
  now !== undefined && now.metadata.generation === old?.metadata.generation ? [] : itself(now, old);

/** Conditions that decide how far a cluster is. */
const progressTypes = [
  bindingConditions.overridden,
  bindingConditions.workSynchronized,
  bindingConditions.applied,
  bindingConditions.available,
  bindingConditions.diffReported,
];

const ofRelevantChange: Watched['concerns'] = (now, old, cache) => {
  const isRelevant = now === undefined || old === undefined || hasProgressed(now as Binding, old as Binding);
  return isRelevant ? itsPlacement(now, old, cache) : [];
};

function hasProgressed(now: Readonly<Binding>, old: Readonly<Binding>): boolean {
  if (now.metadata.generation !== old.metadata.generation) return true;
  if (placementOf(now)?.name !== placementOf(old)?.name) return true;
  if (progressTypes.some((type) => !isSame(currentCondition(now, type), currentCondition(old, type)))) return true;
  // Only this controller writes the condition, unless a user breaks it.
  return currentCondition(now, bindingConditions.rolloutStarted) === undefined;
}

function isSame(a: ReturnType<typeof currentCondition>, b: ReturnType<typeof currentCondition>): boolean {
  return jsonEquals(a ?? null, b ?? null);
}

/** A changed override reaches the placement that it names. One that names none waits, unless a binding names what is deleted. */
function ofOverride(family: PlacementFamily): Watched['concerns'] {
  return (now, old, cache) => {
    const snapshot = (now ?? old) as Readonly<OverrideSnapshot>;
    const placement = placementNamedBy(snapshot);
    if (placement !== undefined)
      return (placement.namespace === undefined) === (family.scope === 'Cluster') ? [placement] : [];
    if (now !== undefined) return [];
    const { namespace, name = '' } = snapshot.metadata;
    return placementsOf(bindingsNaming(cache, family.binding, { namespace, name }));
  };
}

const clusterIndex = 'cluster of a binding';

const byCluster: Indexes = { [clusterIndex]: (binding) => [(binding as Binding).spec.targetCluster] };

/** Overrides select clusters by their labels. */
function ofLabels(family: PlacementFamily): Watched['concerns'] {
  return (now, old, cache) => {
    if (!hasOverrides(cache) || jsonEquals(labelsOf(now), labelsOf(old))) return [];
    return placementsOf(cache.indexed(family.binding, clusterIndex, (now ?? old)?.metadata.name ?? ''));
  };
}

function labelsOf(object: Readonly<KubeObject> | undefined) {
  return object === undefined ? null : (object.metadata.labels ?? {});
}

function placementsOf(bindings: readonly Readonly<Binding>[]): ObjectKey[] {
  return bindings.flatMap((binding) => placementOf(binding) ?? []);
}
