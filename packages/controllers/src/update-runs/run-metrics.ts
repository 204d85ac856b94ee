import {
  clusterUpdatingConditions,
  conditionOf,
  families,
  isTrueNow,
  stageTaskConditions,
  updateRunConditions,
  updateRunReasons,
  type Condition,
  type StageStatus,
  type StageTaskStatus,
  type UpdateRun,
} from '@flotilla/api';
import type { Histogram, MetricFamily } from '@flotilla/kube';
import type { HeldInformer } from '@flotilla/runtime';
import { observeChanges, StateTimes, type StateTimesDependencies } from '../family/state-times.ts';
import { userErrorText } from './run-abort.ts';
import { isTrue } from './run-draft.ts';

/** KubeFleet's bounds: from a minute to a day, and from 15 seconds to an hour. */
const approvalBounds = [60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400];
const stageBounds = [15, 30, 60, 120, 300, 600, 1800, 3600];

/** Values of the label `taskType`, as in the labels of approval requests. */
const taskTypes = ['beforeStage', 'afterStage'] as const;

/** KubeFleet's metrics of update runs. All go with the run. Call the result to stop. */
export function measureUpdateRuns({ informers, metrics, clock }: StateTimesDependencies): HeldInformer['release'] {
  const times = metrics.gauge({
    name: 'fleet_workload_update_run_status_last_timestamp_seconds',
    help: 'Timestamp in seconds of the last change of the status of an update run.',
    labels: ['namespace', 'name', 'state', 'condition', 'status', 'reason', 'failureType'],
  });
  const approvals = metrics.histogram({
    name: 'fleet_workload_update_run_approval_request_latency_seconds',
    help: 'Time in seconds from the creation of an approval request to its approval.',
    labels: ['namespace', 'name', 'taskType'],
    bounds: approvalBounds,
  });
  const updates = metrics.histogram({
    name: 'fleet_workload_update_run_stage_cluster_updating_duration_seconds',
    help: 'Time in seconds from the start of a stage until its clusters are updated, without the tasks after it.',
    labels: ['namespace', 'name'],
    bounds: stageBounds,
  });
  const states = new StateTimes(times, clock);
  const kinds = families.map((family) => family.updateRun);
  return observeChanges(informers, kinds, (kind, now, old) => {
    const run = now ?? old;
    if (run === undefined) return;
    const { namespace = '', name = '' } = run.metadata;
    states.set(kind, run, now && stateOf(now as Readonly<UpdateRun>));
    if (now === undefined) {
      for (const type of taskTypes) approvals.without(namespace, name, type);
      updates.without(namespace, name);
    } else if (old !== undefined) {
      observeApprovals(approvals, now as Readonly<UpdateRun>, old as Readonly<UpdateRun>);
      for (const { startTime } of stagesUpdated(now as Readonly<UpdateRun>, old as Readonly<UpdateRun>)) {
        const seconds = (clock.now() - Date.parse(startTime ?? '')) / 1000;
        if (seconds >= 0) updates.with(namespace, name).observe(seconds);
      }
    }
  });
}

/** By the first condition that is there; undefined before the first decision, and until a new state is acted upon. */
function stateOf({ metadata, spec, status }: Readonly<UpdateRun>): readonly string[] | undefined {
  const { succeeded, progressing, initialized } = updateRunConditions;
  const condition = [succeeded, progressing, initialized]
    .map((type) => conditionOf(status?.conditions, type))
    .find((one) => one !== undefined && (one.observedGeneration ?? 0) === (metadata.generation ?? 0));
  if (condition === undefined) return undefined;
  const { namespace = '', name = '' } = metadata;
  const { type, status: is, reason } = condition;
  return [namespace, name, spec.state ?? '', type, is, reason, failureTypeOf(condition)];
}

function failureTypeOf({ status, reason, message }: Condition): 'none' | 'user_error' | 'internal_error' {
  const { stuck, failed, initializationFailed } = updateRunReasons;
  if (status !== 'False') return 'none';
  if (reason === stuck) return 'internal_error';
  if (reason !== failed && reason !== initializationFailed) return 'none';
  return message.includes(userErrorText) ? 'user_error' : 'internal_error';
}

function observeApprovals(
  latencies: MetricFamily<Histogram>,
  run: Readonly<UpdateRun>,
  before: Readonly<UpdateRun>,
): void {
  const { namespace = '', name = '', generation } = run.metadata;
  const { approvalRequestCreated, approvalRequestApproved } = stageTaskConditions;
  for (const type of taskTypes) {
    const tasksBefore = tasksOf(before, type);
    for (const [at, { conditions }] of tasksOf(run, type).entries()) {
      const [created, approved] = [
        conditionOf(conditions, approvalRequestCreated),
        conditionOf(conditions, approvalRequestApproved),
      ];
      if (!isTrueNow(created, generation) || !isTrueNow(approved, generation)) continue;
      if (isTrue(tasksBefore[at] ?? {}, approvalRequestApproved)) continue;
      const ms = Date.parse(approved?.lastTransitionTime ?? '') - Date.parse(created?.lastTransitionTime ?? '');
      if (ms >= 0) latencies.with(namespace, name, type).observe(ms / 1000);
    }
  }
}

function tasksOf({ status }: Readonly<UpdateRun>, type: (typeof taskTypes)[number]): readonly StageTaskStatus[] {
  const field = type === 'beforeStage' ? 'beforeStageTaskStatus' : 'afterStageTaskStatus';
  return (status?.stagesStatus ?? []).flatMap((stage) => stage[field] ?? []);
}

/** The stages whose last cluster is updated now. As in KubeFleet, those of a run that stops do not count. */
function stagesUpdated(run: Readonly<UpdateRun>, before: Readonly<UpdateRun>): readonly Readonly<StageStatus>[] {
  if (run.spec.state !== 'Run') return [];
  const stagesBefore = before.status?.stagesStatus ?? [];
  return (run.status?.stagesStatus ?? []).filter(
    (stage, at) => isUpdated(stage) && !isUpdated(stagesBefore[at] ?? { clusters: [] }),
  );
}

function isUpdated({ clusters }: Pick<StageStatus, 'clusters'>): boolean {
  return clusters.length > 0 && clusters.every((cluster) => isTrue(cluster, clusterUpdatingConditions.succeeded));
}
