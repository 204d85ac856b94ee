/** Reads what an update run depends on. */
import { resourceIndexLabel, updateRunLabel, type Binding, type PlacementFamily, type UpdateRun } from '@flotilla/api';
import { indexByLabel, type Cache, type Indexes } from '@flotilla/runtime';
import { keyText, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { indexIn } from '../family/latest-snapshot.ts';
import { metadataOfPlacement, summariesOfPlacement } from '../family/placement-key.ts';
import type { StartedRollouts } from '../family/started-rollouts.ts';
import { candidatesAmong } from '../overrides/candidates.ts';
import { matchingOverrides, overridesFor } from '../overrides/matching-overrides.ts';
import { hasOverrides, overrideFinder } from '../overrides/override-indexes.ts';
import type { IsClusterScoped } from '../overrides/resource-identity.ts';
import { observePlacement } from '../placement/controller.ts';
import type { Selections } from '../placement/selection/selection.ts';
import type { PlacedResources } from '../rollout/placed-resources.ts';
import { clusterMetadata } from '../works/indexes.ts';
import { hasEnded } from './decide.ts';
import { scheduledIn, type OverridesOf, type RunBinding, type RunSettings, type RunState } from './run-state.ts';
import type { WaitingRuns } from './waiting-runs.ts';

export interface RunObserver {
  readonly family: PlacementFamily;
  readonly selections: Selections;
  readonly waiting: WaitingRuns;
  readonly placed: PlacedResources;
  readonly isClusterScoped: IsClusterScoped;
  readonly settings: RunSettings;
  readonly started?: StartedRollouts | undefined;
}

const placementIndex = 'placement of an update run that has not ended';

/** For `indexes` of runs. */
export const byPlacementUntilEnd: Indexes = {
  [placementIndex]: (object) => {
    const run = object as UpdateRun;
    return hasEnded({ run }) ? [] : [keyText(placementKey(run))];
  },
};

/** For `indexes` of approval requests. */
export const byRun: Indexes = indexByLabel(updateRunLabel);

/** The runs of a placement that have not ended. */
export function runsOf(cache: Cache, family: PlacementFamily, placement: ObjectKey): readonly Readonly<UpdateRun>[] {
  return cache.indexed(family.updateRun, placementIndex, keyText(placement));
}

/** Their keys. A run is large, and most changes of bindings only have to wake it. */
export function runKeysOf(cache: Cache, family: PlacementFamily, placement: ObjectKey): readonly ObjectKey[] {
  return cache.keys(family.updateRun, placementIndex, keyText(placement));
}

function placementKey({ metadata: { namespace }, spec }: Readonly<UpdateRun>): ObjectKey {
  return { namespace, name: spec.placementName };
}

export function observeRun(key: ObjectKey, cache: Cache, observer: RunObserver): RunState | undefined {
  const { family, selections, waiting, settings, started } = observer;
  const run = cache.get(family.updateRun, key);
  if (run === undefined) return undefined;
  const { namespace } = key;
  const placement = placementKey(run);
  const parent = hasEnded({ run }) ? undefined : observePlacement(family, selections, placement, cache);
  return {
    family,
    run,
    parent,
    scheduled: parent ? summariesOfPlacement(cache, family.binding, placement, scheduledIn) : [],
    binding: (scheduled) => runBinding(cache.get(family.binding, scheduled.key), started),
    strategy: cache.get(family.updateStrategy, { namespace, name: run.spec.stagedRolloutStrategyName }),
    cluster: (name) => clusterMetadata(cache, name),
    approval: (name) => cache.get(family.approvalRequest, { namespace, name }),
    approvals: () => cache.list(family.approvalRequest, { namespace, labels: { [updateRunLabel]: key.name } }),
    overridesIn: (index) => overridesIn(index, placement, cache, observer),
    isSelectionCurrent: () => {
      if (selections.isCurrent(placement)) return true;
      waiting.add(placement, key);
      return false;
    },
    others: () => runsOf(cache, family, placement).filter(({ metadata }) => metadata.uid !== run.metadata.uid),
    settings,
  };
}

function runBinding(
  stored: Readonly<Binding> | undefined,
  started: StartedRollouts | undefined,
): RunBinding | undefined {
  if (stored === undefined || started === undefined) return stored && { binding: stored };
  const { bindings, leftForMs } = started.left([stored]);
  return { binding: bindings[0] ?? stored, leftForMs };
}

const noOverrides: OverridesOf = () => ({ clusterResourceOverrideSnapshots: [], resourceOverrideSnapshots: [] });

/** For both families: KubeFleet looks for those of a cluster-scoped placement of the same name. */
function overridesIn(
  index: number,
  placement: ObjectKey,
  cache: Cache,
  { family, placed, isClusterScoped }: RunObserver,
): OverridesOf | undefined {
  if (!hasOverrides(cache)) return noOverrides;
  const group = metadataOfPlacement(cache, family.resourceSnapshot, placement).filter(
    (snapshot: Readonly<KubeObject>) => indexIn(snapshot, resourceIndexLabel) === index,
  );
  const names = new Map(group.map(({ metadata }) => [metadata.uid ?? '', metadata.name ?? '']));
  const found = placed.of([...names.keys()], (uid) =>
    cache.get(family.resourceSnapshot, { namespace: placement.namespace, name: names.get(uid) ?? '' }),
  );
  if (found === undefined) return undefined;
  const matching = matchingOverrides(placement, candidatesAmong(found, isClusterScoped), overrideFinder(cache));
  return (cluster) => overridesFor(cluster, matching);
}
