import {
  clusterResourceOverrideSnapshots,
  memberClusters,
  resourceOverrideSnapshots,
  type PlacementFamily,
} from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import type { Cache, Controller, TurnObserver, Watched } from '@flotilla/runtime';
import { Scheduler, type EligibilityTimeouts, type SchedulerPlugin } from '@flotilla/scheduler';
import type { Clock } from '@flotilla/timing';
import { byPlacement, ofPlacement } from '../family/placement-key.ts';
import { overrideSnapshotIndexes } from '../overrides/override-indexes.ts';
import { observeFirstRollout, type RolloutSettings } from '../rollout/observe.ts';
import { PlacedResources } from '../rollout/placed-resources.ts';
import { BoundClusters } from './bound-clusters.ts';
import { byCandidateSource, candidatesOf, watchedDecisions } from './candidates.ts';
import { decideScheduling } from './decide.ts';
import { isDeleting } from './finalizer.ts';
import { FirstRollouts } from './first-rollouts.ts';
import { allClusters, KnownClusters } from './known-clusters.ts';
import { latestPolicyOf } from './latest-policy.ts';
import { byDependency } from './policy-dependencies.ts';
import type { SchedulingState } from './scheduling-state.ts';
import { placementItself, placementOfBinding, placementOfPolicy, placementsOfCluster } from './wake-ups.ts';

/** As many as KubeFleet has by default. */
const workers = 20;

/** Members often change together: when they join, or when the hub has been away. */
const collectChangesMs = 100;

export interface SchedulingSettings {
  readonly timeouts: EligibilityTimeouts;
  readonly plugins: readonly SchedulerPlugin[];
}

export interface SchedulingDependencies {
  readonly settings: SchedulingSettings;
  readonly clock: Clock;
  readonly observer: TurnObserver;
  readonly families: readonly PlacementFamily[];
  /** How the rollout of this process begins; undefined if the stages `rollout` or `works` run elsewhere. */
  readonly rollout?: RolloutSettings | undefined;
  /** Whether placements may take their candidates from OCM Placements, whose kinds must be served then. */
  readonly readsOcmDecisions: boolean;
}

/** Decide which clusters placements get: create and unschedule bindings, and write the status of policy snapshots. */
export function schedulingControllers(dependencies: SchedulingDependencies): Controller[] {
  const scheduler = new Scheduler(dependencies.settings);
  const clusters = new KnownClusters();
  return dependencies.families.map((family) => schedulingController(family, { ...dependencies, scheduler, clusters }));
}

interface Shared extends SchedulingDependencies {
  readonly scheduler: Scheduler;
  readonly clusters: KnownClusters;
}

function schedulingController(
  family: PlacementFamily,
  { settings: { timeouts, plugins }, clock, observer, scheduler, clusters, readsOcmDecisions, rollout }: Shared,
): Controller<SchedulingState> {
  const bound = new BoundClusters();
  const beginning = rollout && { ...rollout, family, placed: new PlacedResources() };
  const firstRollouts = rollout?.started && new FirstRollouts(rollout.started, clock);
  const concerned = placementsOfCluster(family, bound, { timeouts, hasPlugins: plugins.length > 0 }, clock);
  let isRunning = false;
  const clusterChanged: Watched['concerns'] = (now, old, cache) => {
    clusters.changed(now, old);
    // Before the first reconcile, every placement is queued already.
    return isRunning ? concerned(now, old, cache) : [];
  };
  const placementOfChanged = placementOfBinding(family);
  const bindingChanged: Watched['concerns'] = (now, old, cache) => {
    bound.changed(now, old);
    return placementOfChanged(now, old, cache);
  };
  return {
    name: family.scope === 'Cluster' ? 'clusterresourceplacement-scheduler' : 'resourceplacement-scheduler',
    workers,
    observer,
    watches: [
      { kind: family.placement, concerns: placementItself, indexes: byCandidateSource },
      {
        kind: family.policySnapshot,
        concerns: placementOfPolicy,
        indexes: { ...byPlacement, ...byDependency },
        keepsMetadata: true,
      },
      { kind: family.binding, concerns: bindingChanged, indexes: byPlacement },
      { kind: memberClusters, concerns: clusterChanged, indexes: allClusters, afterMs: () => collectChangesMs },
      ...(readsOcmDecisions ? [watchedDecisions(family, collectChangesMs)] : []),
      ...(beginning ? readByRollout(family) : []),
    ],
    sources: firstRollouts === undefined ? [] : [firstRollouts.source],
    observe: (key, cache) => {
      isRunning = true;
      const state = observeScheduling(family, key, cache, clusters);
      const { placement } = state;
      const firstRollout = placement && beginning && observeFirstRollout(key, placement, cache, beginning);
      if (firstRollout === undefined || !choosesFirstClusters(state)) firstRollouts?.forget(key);
      else if (firstRollouts?.mustWait(key)) return undefined;
      if (placement === undefined) return state;
      return {
        ...state,
        ...(readsOcmDecisions && { candidates: candidatesOf(placement, cache) }),
        firstRollout,
      };
    },
    decide: (state, now) => {
      const plan = decideScheduling(state, scheduler, now);
      return rollout?.started?.announce(plan) ?? plan;
    },
  };
}

/** Whether the scheduler would choose the first clusters of the placement now. */
function choosesFirstClusters({ placement, policySnapshot, bindings }: SchedulingState): boolean {
  return placement !== undefined && !isDeleting(placement) && policySnapshot !== undefined && bindings.length === 0;
}

/** What a rollout reads, and the scheduler does not. */
function readByRollout(family: PlacementFamily): Watched[] {
  const concerns = (): ObjectKey[] => [];
  return [
    { kind: family.resourceSnapshot, concerns, indexes: byPlacement, keepsMetadata: true },
    { kind: clusterResourceOverrideSnapshots, concerns, indexes: overrideSnapshotIndexes },
    { kind: resourceOverrideSnapshots, concerns, indexes: overrideSnapshotIndexes },
  ];
}

function observeScheduling(
  family: PlacementFamily,
  key: ObjectKey,
  cache: Cache,
  clusters: KnownClusters,
): SchedulingState {
  const placement = cache.get(family.placement, key);
  return {
    family,
    key,
    placement,
    policySnapshot: placement && latestPolicyOf(placement, ofPlacement(cache, family.policySnapshot, key)),
    bindings: ofPlacement(cache, family.binding, key),
    clusters: clusters.read(cache),
    holderOf: (name) => cache.get(family.binding, { namespace: key.namespace, name })?.metadata.uid,
  };
}
