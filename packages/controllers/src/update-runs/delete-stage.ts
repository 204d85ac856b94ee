/** The last stage of a run: the clusters that are no longer chosen lose the resources, all at once. */
import {
  clusterUpdatingConditions,
  clusterUpdatingReasons,
  updateStageConditions,
  updateStageReasons,
  type ClusterUpdatingStatus,
  type StageStatus,
} from '@flotilla/api';
import { deleted } from '../rollout/binding-writes.ts';
import { abortedRun, unexpected } from './run-abort.ts';
import { isTrue } from './run-draft.ts';
import type { RunPass } from './run-pass.ts';
import type { RunScope } from './run-scope.ts';

/** Deletes bindings. Returns whether all are gone. Throws a RunAbort. */
export function deleteStage(pass: RunPass, scope: RunScope, stage: StageStatus): boolean {
  const { draft, state } = pass;
  const { progressing, succeeded } = updateStageConditions;
  const message = 'Clusters in the stage started updating';
  stage.startTime ??= draft.time;
  draft.set(stage, progressing, 'True', updateStageReasons.started, message);
  pass.progressing('True', 'progressing', 'The update run is making progress');
  for (const { cluster, binding } of deletionsIn(pass, scope, stage)) {
    if (isTrue(cluster, clusterUpdatingConditions.started)) continue;
    if (binding.metadata.deletionTimestamp === undefined) pass.write(deleted(state.family, binding));
    setStarted(pass, cluster);
  }
  settleGone(pass, scope, stage);
  if (scope.leaving.size > 0) return false;
  const done = 'All clusters in the stage are updated and after-stage tasks are completed';
  draft.set(stage, progressing, 'False', updateStageReasons.succeeded, done);
  draft.set(stage, succeeded, 'True', updateStageReasons.succeeded, 'Stage update completed successfully');
  stage.endTime = draft.time;
  return true;
}

/** The bindings that are still there, with their clusters. Throws a RunAbort if one is in a wrong state. */
export function deletionsIn(pass: RunPass, { leaving }: RunScope, { clusters }: StageStatus) {
  const byName = new Map(clusters.map((cluster) => [cluster.clusterName, cluster]));
  return [...leaving].flatMap(([name, scheduled]) => {
    const binding = pass.binding(scheduled);
    if (binding === undefined) return [];
    const cluster = byName.get(name);
    if (cluster === undefined) {
      throw abortedRun(
        unexpected(`the to be deleted cluster \`${name}\` is not in the deleting stage during execution`),
      );
    }
    if (isTrue(cluster, clusterUpdatingConditions.succeeded)) {
      throw abortedRun(unexpected(`the deleted cluster \`${name}\` in the deleting stage still has a binding`));
    }
    const isStarted = isTrue(cluster, clusterUpdatingConditions.started);
    if (isStarted && binding.metadata.deletionTimestamp === undefined) {
      const why = 'is marked as deleting but its corresponding binding is not deleting';
      throw abortedRun(unexpected(`the cluster \`${name}\` in the deleting stage ${why}`));
    }
    return { cluster, binding };
  });
}

/** Clusters without a binding have lost the resources. */
export function settleGone(pass: RunPass, { leaving }: RunScope, { clusters }: StageStatus): void {
  const { succeeded } = clusterUpdatingConditions;
  for (const cluster of clusters) {
    if (leaving.has(cluster.clusterName) || isTrue(cluster, succeeded)) continue;
    setStarted(pass, cluster);
    const message = 'Cluster update completed successfully';
    pass.draft.set(cluster, succeeded, 'True', clusterUpdatingReasons.succeeded, message);
  }
}

function setStarted({ draft }: RunPass, cluster: ClusterUpdatingStatus): void {
  const { started } = clusterUpdatingConditions;
  draft.set(cluster, started, 'True', clusterUpdatingReasons.started, 'Cluster update started');
}
