import {
  approvalRequestConditions,
  clusterResourceOverrideSnapshots,
  conditionOf,
  isTrueNow,
  memberClusters,
  resourceOverrideSnapshots,
  updateRunConditions,
  type ApprovalRequest,
  type PlacementFamily,
  type UpdateRun,
} from '@flotilla/api';
import { jsonEquals, type JsonValue, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Controller, Watched } from '@flotilla/runtime';
import { arrivalMs } from '../family/arrival.ts';
import { byPlacement, itsPlacement } from '../family/placement-key.ts';
import type { StartedRollouts } from '../family/started-rollouts.ts';
import { overrideSnapshotIndexes } from '../overrides/override-indexes.ts';
import type { IsClusterScoped } from '../overrides/resource-identity.ts';
import type { Selections } from '../placement/selection/selection.ts';
import { PlacedResources } from '../rollout/placed-resources.ts';
import { clusterIndexes } from '../works/indexes.ts';
import { activeRuns, byActivity } from './active-runs.ts';
import { decideRun } from './decide.ts';
import { byPlacementUntilEnd, byRun, observeRun, runKeysOf } from './observe.ts';
import type { RunSettings, RunState } from './run-state.ts';
import { WaitingRuns } from './waiting-runs.ts';

export interface RunDependencies {
  readonly selections: Selections;
  readonly isClusterScoped: IsClusterScoped;
  readonly settings: Omit<RunSettings, 'isWithWorks'>;
  /** Undefined if works does not run in this process. */
  readonly started?: StartedRollouts | undefined;
}

/** Names of KubeFleet's controllers, by family. */
const names = { Cluster: 'clusterstagedupdaterun-controller', Namespaced: 'stagedupdaterun-controller' };

/** Clusters of a run change together. Each reconcile writes the whole status. */
const gatherMs = 10;

/** Updates the clusters of placements with an External strategy, stage by stage. Everything it waits for wakes it. */
export function updateRunController(family: PlacementFamily, dependencies: RunDependencies): Controller<RunState> {
  const { selections, started } = dependencies;
  const settings = { ...dependencies.settings, isWithWorks: started !== undefined };
  const waiting = new WaitingRuns();
  const observer = { ...dependencies, settings, family, waiting, placed: new PlacedResources() };
  const runsOfPlacement = ofPlacementWith(family, itsPlacement);
  return {
    name: names[family.scope],
    fieldManager: 'cluster-staged-update-run-controller',
    workers: 16,
    watches: [
      {
        kind: family.updateRun,
        concerns: itselfUnlessProgress,
        indexes: { ...byPlacementUntilEnd, ...byActivity },
        afterMs: (key, cache) => (cache.get(family.updateRun, key)?.status === undefined ? arrivalMs : 0),
      },
      { kind: family.approvalRequest, concerns: itsRun, indexes: byRun },
      { kind: family.placement, concerns: ofPlacementWith(family, itselfUnlessStatus) },
      { kind: family.policySnapshot, concerns: runsOfPlacement, indexes: byPlacement, keepsMetadata: true },
      { kind: family.binding, concerns: runsOfPlacement, indexes: byPlacement, afterMs: () => gatherMs },
      { kind: family.resourceSnapshot, concerns: runsOfPlacement, indexes: byPlacement, keepsMetadata: true },
      { kind: family.updateStrategy, concerns: () => [] },
      {
        kind: memberClusters,
        concerns: activeIfLabelsChange(family),
        indexes: clusterIndexes,
        keepsMetadata: true,
      },
      ...[clusterResourceOverrideSnapshots, resourceOverrideSnapshots].map((kind) => ({
        kind,
        concerns: () => [],
        indexes: overrideSnapshotIndexes,
      })),
    ],
    sources: [waiting.source(selections, family)],
    observe: (key, cache) => observeRun(key, cache, observer),
    decide: (state, now) => {
      const plan = decideRun(state, now);
      return started?.announce(plan) ?? plan;
    },
  };
}

/** A user may have changed what a run has recorded, which ends it. */
const itselfUnlessProgress: Watched['concerns'] = (now, old, cache) => {
  const concerned = [...itselfUnlessStatus(now, old, cache)];
  if (concerned.length > 0 || now === undefined || old === undefined) return concerned;
  return jsonEquals(recordedIn(now as UpdateRun), recordedIn(old as UpdateRun)) ? [] : [keyOf(now)];
};

/** What stays as it is once a run is initialized; nothing before. */
function recordedIn({ status }: Readonly<UpdateRun>): JsonValue {
  if (conditionOf(status?.conditions, updateRunConditions.initialized)?.status !== 'True') return null;
  const { stagedUpdateStrategySnapshot: plan = null, stagesStatus = [], deletionStageStatus: last } = status ?? {};
  const stages = [...stagesStatus, ...(last ? [last] : [])];
  return [plan, stages.map(({ stageName, clusters }) => [stageName, ...clusters.map((one) => one.clusterName)])];
}

/** Only this controller writes the status. */
const itselfUnlessStatus: Watched['concerns'] = (now, old) => {
  const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
  const isRelevant =
    now === undefined ||
    now.metadata.uid !== old?.metadata.uid ||
    now.metadata.generation !== old?.metadata.generation ||
    now.metadata.deletionTimestamp !== old?.metadata.deletionTimestamp;
  return isRelevant ? [{ namespace, name }] : [];
};

/** The runs of the placements that a change concerns. */
function ofPlacementWith(family: PlacementFamily, concerns: Watched['concerns']): Watched['concerns'] {
  return (now, old, cache) =>
    [...concerns(now, old, cache)].flatMap((placement) => runKeysOf(cache, family, placement));
}

/** An answer, or a request that is gone and must be made again. */
const itsRun: Watched['concerns'] = (now, old) => {
  const request = (now ?? old) as ApprovalRequest;
  const isRelevant = now === undefined || isApproved(now) !== (old !== undefined && isApproved(old));
  const { namespace } = request.metadata;
  return isRelevant ? [{ namespace, name: request.spec.parentStageRollout }] : [];
};

function isApproved(object: Readonly<KubeObject>): boolean {
  const { status, metadata } = object as Readonly<ApprovalRequest>;
  return isTrueNow(conditionOf(status?.conditions, approvalRequestConditions.approved), metadata.generation);
}

/** Stages select clusters by their labels. */
function activeIfLabelsChange(family: PlacementFamily): Watched['concerns'] {
  return (now, old, cache) => {
    if (now !== undefined && old !== undefined && jsonEquals(labelsOf(now), labelsOf(old))) return [];
    return activeRuns(cache, family);
  };
}

function labelsOf({ metadata }: Readonly<KubeObject>) {
  return metadata.labels ?? {};
}

function keyOf({ metadata: { namespace, name = '' } }: Readonly<KubeObject>): ObjectKey {
  return { namespace, name };
}
