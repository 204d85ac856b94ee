/** One stage of a run: its tasks, and the updates of its clusters, so many at once. */
import {
  clusterUpdatingConditions,
  clusterUpdatingReasons,
  conditionOf,
  stageTaskConditions,
  stageTaskReasons,
  updateStageConditions,
  updateStageReasons,
  type Binding,
  type ClusterUpdatingStatus,
  type StageStatus,
  type StageTaskStatus,
  type UpdateStage,
} from '@flotilla/api';
import { shareOf } from '@flotilla/kube';
import { isApproved } from './approve-task.ts';
import { isRolledOut, isUnsaid, outcomeOf, rollOut } from './cluster-update.ts';
import { abortedRun, unexpected, userError } from './run-abort.ts';
import { isTrue, statusOf } from './run-draft.ts';
import type { RunPass } from './run-pass.ts';
import type { RunScope } from './run-scope.ts';
import { waitMs } from './stage-clusters.ts';

/** Goes on with a stage. Returns whether it is done. Throws a RunAbort. */
export function updateStage(pass: RunPass, scope: RunScope, stage: StageStatus, config: UpdateStage): boolean {
  if (stage.clusters.length === 0) {
    skipStage(pass, stage);
    return true;
  }
  if (!areApprovedBefore(pass, stage)) return false;
  const updates = updateClusters(pass, scope, stage, config);
  if (updates.finished < stage.clusters.length) {
    reportProgress(pass, stage, updates);
    return false;
  }
  if (!areDoneAfter(pass, stage, config)) return false;
  finishStage(pass, stage);
  return true;
}

/** Its tasks are skipped, too: KubeFleet's suites expect that. */
function skipStage({ draft }: RunPass, stage: StageStatus): void {
  stage.startTime ??= draft.time;
  stage.endTime = draft.time;
  const { progressing, succeeded } = updateStageConditions;
  const message = 'Stage skipped because it has no clusters';
  draft.set(stage, progressing, 'False', updateStageReasons.skipped, message);
  draft.set(stage, succeeded, 'True', updateStageReasons.skipped, message);
}

function areApprovedBefore(pass: RunPass, stage: StageStatus): boolean {
  const tasks = stage.beforeStageTaskStatus ?? [];
  const open = tasks.filter((task) => !isApproved(pass, stage.stageName, 'before', task));
  if (open.length === 0) return true;
  const message = 'Not all before-stage tasks are completed, waiting for approval';
  pass.draft.set(stage, updateStageConditions.progressing, 'False', updateStageReasons.waiting, message);
  const what = `before-stage tasks in stage ${stage.stageName}`;
  pass.progressing('False', 'waiting', `The updateRun is waiting for ${what} to complete`);
  return false;
}

/** How far the clusters of a stage are. */
export interface StageUpdates {
  readonly finished: number;
  /** Names of clusters. */
  readonly failed: readonly string[];
  readonly stuck: readonly string[];
}

/** Looks first at clusters in flight: if one has failed, no other starts, until it has recovered. */
function updateClusters(pass: RunPass, scope: RunScope, stage: StageStatus, config: UpdateStage): StageUpdates {
  const { started, succeeded } = clusterUpdatingConditions;
  const flight = inFlight(pass, scope, stage);
  let { finished, updating } = flight;
  const failed = [...flight.failed];
  const limit = Math.max(1, shareOf(config.maxConcurrency, stage.clusters.length, Math.floor));
  for (const cluster of stage.clusters) {
    if (updating >= limit || failed.length > 0) break;
    if (isTrue(cluster, started) || isTrue(cluster, succeeded)) continue;
    const binding = bindingOf(pass, scope, stage, cluster);
    const isReady = isRolledOut(pass, cluster, binding);
    if (!isReady) rollOut(pass, cluster, binding);
    pass.draft.set(cluster, started, 'True', clusterUpdatingReasons.started, 'Cluster update started');
    stage.startTime ??= pass.draft.time;
    // Another run, or this one before a crash, has updated the cluster already.
    const outcome = isReady ? outcomeOf(binding) : 'under way';
    if (outcome === 'succeeded') {
      setSucceeded(pass, cluster);
      finished++;
    } else {
      updating++;
      if (outcome === 'failed') failed.push(cluster.clusterName);
      pass.wakeAfter(pass.state.settings.stuckAfterMs + 1);
    }
  }
  return { finished, failed, stuck: flight.stuck };
}

interface Flight extends StageUpdates {
  readonly updating: number;
}

/** Looks at the clusters that have started. Throws a RunAbort if another run has taken one of them. */
export function inFlight(pass: RunPass, scope: RunScope, stage: StageStatus, mayBeTaken = false): Flight {
  const { started, succeeded } = clusterUpdatingConditions;
  let [finished, updating] = [0, 0];
  const failed: string[] = [];
  const stuck: string[] = [];
  for (const cluster of stage.clusters) {
    const { clusterName } = cluster;
    if (isTrue(cluster, succeeded)) finished++;
    else if (statusOf(cluster, succeeded) === 'False') {
      throw abortedRun(`the cluster \`${clusterName}\` in the stage ${stage.stageName} has failed`);
    }
    if (!isTrue(cluster, started) || isTrue(cluster, succeeded)) continue;
    const binding = bindingOf(pass, scope, stage, cluster);
    if (isUnsaid(pass, cluster, binding)) rollOut(pass, cluster, binding);
    else if (!mayBeTaken && !isRolledOut(pass, cluster, binding)) throw taken(pass, stage, cluster, binding);
    const outcome = outcomeOf(binding);
    if (outcome === 'succeeded') {
      setSucceeded(pass, cluster);
      finished++;
      continue;
    }
    updating++;
    if (outcome === 'failed') failed.push(clusterName);
    const leftMs = pass.state.settings.stuckAfterMs - elapsedMs(pass, cluster);
    if (leftMs > 0) pass.wakeAfter(leftMs + 1);
    else stuck.push(clusterName);
  }
  return { finished, updating, failed, stuck };
}

function elapsedMs({ draft }: RunPass, cluster: ClusterUpdatingStatus): number {
  const { lastTransitionTime = '' } = conditionOf(cluster.conditions, clusterUpdatingConditions.started) ?? {};
  return draft.now.getTime() - (Date.parse(lastTransitionTime) || 0);
}

function bindingOf(
  pass: RunPass,
  { selected }: RunScope,
  { stageName }: StageStatus,
  { clusterName }: ClusterUpdatingStatus,
): Readonly<Binding> {
  const scheduled = selected.get(clusterName);
  const binding = scheduled && pass.binding(scheduled);
  if (binding !== undefined) return binding;
  const why = `the binding for cluster \`${clusterName}\` in stage \`${stageName}\` is not found in the toBeUpdatedBindings map`;
  throw abortedRun(unexpected(why));
}

function setSucceeded({ draft }: RunPass, cluster: ClusterUpdatingStatus): void {
  const { succeeded } = clusterUpdatingConditions;
  draft.set(cluster, succeeded, 'True', clusterUpdatingReasons.succeeded, 'Cluster update completed successfully');
}

function taken({ draft }: RunPass, stage: StageStatus, cluster: ClusterUpdatingStatus, binding: Readonly<Binding>) {
  const { namespace, name = '' } = binding.metadata;
  const shown = namespace === undefined ? name : `${namespace}/${name}`;
  const detail =
    `the binding of the updating cluster \`${cluster.clusterName}\` in the stage \`${stage.stageName}\` is not up-to-date with the desired status, ` +
    `please check the status of binding \`${shown}\` and see if there is a concurrent updateRun referencing the same placement and updating the same cluster`;
  const { succeeded } = clusterUpdatingConditions;
  draft.set(cluster, succeeded, 'False', clusterUpdatingReasons.failed, userError(detail));
  return abortedRun(userError(detail));
}

function reportProgress(pass: RunPass, stage: StageStatus, { failed, stuck }: StageUpdates): void {
  const { progressing } = updateStageConditions;
  const held = failed.length > 0 ? `; no other cluster starts until these have recovered: ${few(failed)}` : '';
  const message = `Clusters in the stage started updating${held}`;
  pass.draft.set(stage, progressing, 'True', updateStageReasons.started, message);
  reportRun(pass, stage, stuck);
}

export function reportRun(pass: RunPass, { stageName }: StageStatus, stuck: readonly string[]): void {
  if (stuck.length === 0) pass.progressing('True', 'progressing', 'The update run is making progress');
  else {
    const what = `${few(stuck)} cluster(s) in stage ${stageName}`;
    const hint = 'please check placement status for potential errors';
    pass.progressing('False', 'stuck', `The updateRun is stuck waiting for ${what} to finish updating, ${hint}`);
  }
}

function few(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join(', ')}...` : names.join(', ');
}

/** All tasks are looked at, so that the wait and the approval run at the same time. */
function areDoneAfter(pass: RunPass, stage: StageStatus, config: UpdateStage): boolean {
  const tasks = stage.afterStageTaskStatus ?? [];
  if (tasks.length === 0) return true;
  const message = 'All clusters in the stage are updated, waiting for after-stage tasks to complete';
  pass.draft.set(stage, updateStageConditions.progressing, 'False', updateStageReasons.waiting, message);
  const open = tasks.filter((task) =>
    task.type === 'Approval'
      ? !isApproved(pass, stage.stageName, 'after', task)
      : !hasElapsed(pass, stage, config, task),
  );
  if (open.length === 0) return true;
  const what = `after-stage tasks in stage ${stage.stageName}`;
  pass.progressing('False', 'waiting', `The updateRun is waiting for ${what} to complete`);
  return false;
}

/** The wait begins when the last cluster is updated. */
function hasElapsed(pass: RunPass, stage: StageStatus, config: UpdateStage, task: StageTaskStatus): boolean {
  const { waitTimeElapsed } = stageTaskConditions;
  if (isTrue(task, waitTimeElapsed)) return true;
  const { lastTransitionTime = '' } = conditionOf(stage.conditions, updateStageConditions.progressing) ?? {};
  const wait = waitMs(config.afterStageTasks?.find(({ type }) => type === 'TimedWait')?.waitTime ?? '');
  const leftMs = Date.parse(lastTransitionTime) + wait - pass.draft.now.getTime();
  if (leftMs > 0) {
    pass.wakeAfter(leftMs);
    return false;
  }
  pass.draft.set(task, waitTimeElapsed, 'True', stageTaskReasons.waitTimeElapsed, 'Wait time elapsed');
  return true;
}

function finishStage(pass: RunPass, stage: StageStatus): void {
  const { progressing, succeeded } = updateStageConditions;
  const message = 'All clusters in the stage are updated and after-stage tasks are completed';
  pass.draft.set(stage, progressing, 'False', updateStageReasons.succeeded, message);
  pass.draft.set(stage, succeeded, 'True', updateStageReasons.succeeded, 'Stage update completed successfully');
  stage.endTime = pass.draft.time;
  pass.progressing('True', 'progressing', 'The update run is making progress');
}
