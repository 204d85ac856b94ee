/** How far an update run is, and what it waits for. */
import {
  clusterUpdatingConditions,
  conditionOf,
  stageTaskConditions,
  updateRunConditions,
  updateRunReasons,
  updateStageConditions,
  type StageStatus,
  type UpdateRun,
} from '@flotilla/api';
import { humanDuration, parseGoDuration } from '@flotilla/kube';

export interface RunProgress {
  readonly state: RunState;
  /** The stage that is under way, or that has failed; empty if there is none. */
  readonly stage: string;
  /** Clusters that have the new resources, of all that the run concerns. */
  readonly updated: number;
  readonly clusters: number;
  /** What has to happen before the run goes on: approvals, the rest of a wait, clusters. */
  readonly waitingFor: readonly string[];
  /** Why the run has ended without success; empty otherwise. */
  readonly message: string;
}

export type RunState =
  | 'Pending'
  | 'Initialized'
  | 'Running'
  | 'Waiting'
  | 'Stuck'
  | 'Stopping'
  | 'Stopped'
  | 'Succeeded'
  | 'Failed'
  | 'Abandoned';

export function progressOf(run: UpdateRun, now: Date): RunProgress {
  const state = stateOf(run);
  const stages = run.status?.stagesStatus ?? [];
  const clusters = stages.flatMap((stage) => stage.clusters);
  const stage = stages.length === 0 ? undefined : openStage(run, state);
  return {
    state,
    stage: stage?.stageName ?? '',
    updated: clusters.filter((cluster) => holds(cluster, clusterUpdatingConditions.succeeded)).length,
    clusters: clusters.length,
    waitingFor: hasEnded(run) ? [] : waitsOf(run, state, stage, now),
    message: state === 'Failed' || state === 'Abandoned' ? endMessage(run) : '',
  };
}

/** Whether nothing can start the run again. */
export function hasEnded({ status }: UpdateRun): boolean {
  const { succeeded, initialized } = updateRunConditions;
  return (
    conditionOf(status?.conditions, succeeded) !== undefined ||
    conditionOf(status?.conditions, initialized)?.status === 'False'
  );
}

/** Clusters that the run has changed, whether or not they have become available. */
export function touchedClusters({ status }: UpdateRun): string[] {
  return (status?.stagesStatus ?? [])
    .flatMap(({ clusters }) => clusters)
    .filter((cluster) => holds(cluster, clusterUpdatingConditions.started))
    .map(({ clusterName }) => clusterName);
}

const statesByReason: ReadonlyMap<string, RunState> = new Map([
  [updateRunReasons.progressing, 'Running'],
  [updateRunReasons.waiting, 'Waiting'],
  [updateRunReasons.stuck, 'Stuck'],
  [updateRunReasons.stopping, 'Stopping'],
  [updateRunReasons.stopped, 'Stopped'],
]);

function stateOf({ status }: UpdateRun): RunState {
  const { initialized, progressing, succeeded } = updateRunConditions;
  const outcome = conditionOf(status?.conditions, succeeded);
  if (outcome?.status === 'True') return 'Succeeded';
  if (outcome !== undefined) return outcome.reason === updateRunReasons.abandoned ? 'Abandoned' : 'Failed';
  const start = conditionOf(status?.conditions, initialized);
  if (start?.status !== 'True') return start === undefined ? 'Pending' : 'Failed';
  return statesByReason.get(conditionOf(status?.conditions, progressing)?.reason ?? '') ?? 'Initialized';
}

function endMessage({ status }: UpdateRun): string {
  const { initialized, succeeded } = updateRunConditions;
  const end = conditionOf(status?.conditions, succeeded) ?? conditionOf(status?.conditions, initialized);
  return end?.message ?? '';
}

/** The delete stage comes last, and only counts if it has clusters. */
function openStage({ status }: UpdateRun, state: RunState): StageStatus | undefined {
  if (state === 'Succeeded' || state === 'Abandoned') return undefined;
  const { stagesStatus = [], deletionStageStatus: last } = status ?? {};
  const stages = last === undefined || last.clusters.length === 0 ? stagesStatus : [...stagesStatus, last];
  return stages.find((stage) => !holds(stage, updateStageConditions.succeeded));
}

function waitsOf(run: UpdateRun, state: RunState, stage: StageStatus | undefined, now: Date): string[] {
  if (state === 'Initialized' && run.spec.state === 'Initialize') return ['spec.state: Run'];
  if (state === 'Stopped') return ['spec.state: Run'];
  if (stage === undefined) return [];
  const { started, succeeded } = clusterUpdatingConditions;
  const open = stage.clusters.filter((cluster) => holds(cluster, started) && !holds(cluster, succeeded));
  return [...approvalsOf(stage), ...timeLeft(run, stage, now), ...few(open.map(({ clusterName }) => clusterName))];
}

function approvalsOf({ beforeStageTaskStatus = [], afterStageTaskStatus = [] }: StageStatus): string[] {
  const { approvalRequestCreated: created, approvalRequestApproved: approved } = stageTaskConditions;
  return [...beforeStageTaskStatus, ...afterStageTaskStatus]
    .filter((task) => holds(task, created) && !holds(task, approved))
    .map(({ approvalRequestName = '' }) => `approval ${approvalRequestName}`);
}

/** The wait begins when the last cluster is updated. */
function timeLeft({ status }: UpdateRun, stage: StageStatus, now: Date): string[] {
  const task = stage.afterStageTaskStatus?.find(({ type }) => type === 'TimedWait');
  const areUpdated = stage.clusters.every((cluster) => holds(cluster, clusterUpdatingConditions.succeeded));
  if (task === undefined || !areUpdated || holds(task, stageTaskConditions.waitTimeElapsed)) return [];
  const { lastTransitionTime = '' } = conditionOf(stage.conditions, updateStageConditions.progressing) ?? {};
  const config = status?.stagedUpdateStrategySnapshot?.stages.find(({ name }) => name === stage.stageName);
  const { waitTime = '' } = config?.afterStageTasks?.find(({ type }) => type === 'TimedWait') ?? {};
  const leftMs = Date.parse(lastTransitionTime) + waitMs(waitTime) - now.getTime();
  return leftMs > 0 ? [`${humanDuration(leftMs)} of wait`] : [];
}

/** Zero if it is not a duration: the hub says what is wrong with it. */
function waitMs(text: string): number {
  try {
    return Number(parseGoDuration(text)) / 1e6;
  } catch {
    return 0;
  }
}

const maxNames = 3;

function few(names: readonly string[]): string[] {
  const rest = names.length - maxNames;
  return [...names.slice(0, maxNames), ...(rest > 0 ? [`${rest} more`] : [])];
}

interface Conditioned {
  readonly conditions?: StageStatus['conditions'];
}

function holds({ conditions }: Conditioned, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}
