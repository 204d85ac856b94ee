import {
  bindingConditions,
  clusterResourceOverrideSnapshots,
  memberClusters,
  resourceOverrideSnapshots,
  type Binding,
  type OverrideSnapshot,
  type Placement,
  type PlacementFamily,
} from '@flotilla/api';
import { jsonEquals, keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller, type Indexes, type Watched } from '@flotilla/runtime';
import { currentCondition, statusNow, type BindingConditionType } from '../family/binding-progress.ts';
import { byPlacement, countOfPlacement, itsPlacement, placementOf } from '../family/placement-key.ts';
import type { StartedRollouts } from '../family/started-rollouts.ts';
import { placementNamedBy } from '../overrides/matching-overrides.ts';
import {
  bindingsNaming,
  byNamedOverrides,
  hasOverrides,
  overrideSnapshotIndexes,
} from '../overrides/override-indexes.ts';
import { decideRollout, type RolloutState } from './decide.ts';
import { isLeftToRuns, observeRollout, type RolloutSettings } from './observe.ts';
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
      { kind: family.placement, concerns: itselfUnlessStatus, indexes: byUpdateRuns },
      {
        kind: family.binding,
        concerns: ofRelevantChange(family, settings.started),
        indexes: { ...byPlacement, ...byNamedOverrides, ...byCluster, ...byWaiting },
        afterMs: (key, cache) => batchingMs(countOfPlacement(cache, family.binding, key)),
      },
      { kind: family.binding, concerns: ofStarted(family, settings.started), afterMs: () => afterStartMs },
      { kind: family.resourceSnapshot, concerns: itsPlacement, indexes: byPlacement, keepsMetadata: true },
      ...[clusterResourceOverrideSnapshots, resourceOverrideSnapshots].map((kind) => ({
        kind,
        concerns: ofOverride(family),
        indexes: overrideSnapshotIndexes,
      })),
      { kind: memberClusters, concerns: ofLabels(family), metadataOnly: true },
    ],
    observe: (key, cache) => observeRollout(key, cache, observer),
    decide: (state, now) => {
      const plan = decideRollout(state, now);
      return settings.started?.announce(plan) ?? plan;
    },
  };
}

/** Bindings of a placement change together. Many of them take longer to do so, and longer to decide about. */
function batchingMs(bindings: number): number {
  return Math.min(25, 1 + bindings / 20);
}

/** How long new bindings that are rolled out already may wait for each other. */
const afterStartMs = 1_000;

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

const waitingIndex = 'waiting binding of a placement';

/** Bindings that have not got the latest resources, or are to be removed. One that does not say so yet is asked when its spec changes. */
const byWaiting: Indexes = {
  [waitingIndex]: (object) => {
    const binding = object as Binding;
    const placement = placementOf(binding);
    return placement === undefined || !isWaiting(binding) ? [] : [keyText(placement)];
  },
};

function isWaiting(binding: Readonly<Binding>): boolean {
  return binding.spec.state !== 'Bound' || statusNow(binding, bindingConditions.rolloutStarted) === 'False';
}

const externalIndex = 'placement that update runs roll out';

const byUpdateRuns: Indexes = {
  [externalIndex]: (object) => (isLeftToRuns(object as Placement) ? itself(object, undefined).map(keyText) : []),
};

/** Progress of a cluster counts only while another one waits for it. One that begins to wait may have missed it. */
function ofRelevantChange(family: PlacementFamily, started: StartedRollouts | undefined): Watched['concerns'] {
  const { binding: kind, placement: parent } = family;
  return (now, old, cache) => {
    if (isCreatedStarted(now, old, started) && isNoneWaiting(now, family, cache)) return [];
    const concerned = [...itsPlacement(now, old, cache)].filter(
      // Its status lists every cluster: too large to be read for every change of one.
      (placement) => cache.count(parent, externalIndex, keyText(placement)) === 0,
    );
    if (now === undefined || old === undefined || concerned.length > 1) return concerned;
    if (now.metadata.generation !== old.metadata.generation) return concerned;
    if (hasChanged(now, old, [bindingConditions.rolloutStarted]) && isWaiting(now as Binding)) return concerned;
    if (!hasChanged(now, old, progressTypes)) return [];
    return concerned.filter((placement) => cache.count(kind, waitingIndex, keyText(placement)) > 0);
  };
}

/**
 * The scheduler creates the first bindings of a placement as the rollout would change them. One by one, they would make it look at all
 * others, and find nothing to do. It looks when they are complete, in case that the resources have changed in between.
 */
function ofStarted(family: PlacementFamily, started: StartedRollouts | undefined): Watched['concerns'] {
  return (now, old, cache) =>
    isCreatedStarted(now, old, started) && isNoneWaiting(now, family, cache) ? itsPlacement(now, old, cache) : [];
}

function isCreatedStarted(
  now: KubeObject | undefined,
  old: KubeObject | undefined,
  started: StartedRollouts | undefined,
): now is Binding {
  return old === undefined && now !== undefined && started?.isAnnounced(now as Binding) === true;
}

function isNoneWaiting(binding: Readonly<Binding>, { binding: kind }: PlacementFamily, cache: Cache): boolean {
  const placement = placementOf(binding);
  return placement !== undefined && cache.count(kind, waitingIndex, keyText(placement)) === 0;
}

function hasChanged(now: KubeObject, old: KubeObject, types: readonly BindingConditionType[]): boolean {
  const current = (binding: KubeObject, type: BindingConditionType) =>
    currentCondition(binding as Binding, type) ?? null;
  return types.some((type) => !jsonEquals(current(now, type), current(old, type)));
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
