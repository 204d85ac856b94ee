import {
  conditionOf,
  updateRunConditions,
  updateRunFinalizer,
  updateRunReasons,
  updateStageConditions,
  updateStageReasons,
  type StageStatus,
} from '@flotilla/api';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import type { StartingPlan } from '../family/started-rollouts.ts';
import { deleteStage } from './delete-stage.ts';
import { initializeRun } from './initialize-run.ts';
import { abortedRun, patienceMs, RunAbort, unexpected } from './run-abort.ts';
import { isTrue, statusOf } from './run-draft.ts';
import { RunPass } from './run-pass.ts';
import type { RunState } from './run-state.ts';
import { stopStage } from './stop-run.ts';
import { updateStage } from './update-stage.ts';
import { validateRun, type ValidRun } from './validate-run.ts';

/** Goes on with a run as far as it can. */
export function decideRun(state: RunState, now: Date): StartingPlan {
  if (state.run.metadata.deletionTimestamp !== undefined) return decideDeletion(state);
  const pass = new RunPass(state, now);
  const { status } = pass.draft;
  const { initialized, succeeded } = updateRunConditions;
  if (statusOf(status, initialized) === 'False' || statusOf(status, succeeded) !== undefined)
    return withFinalizer(state);
  try {
    if (!isTrue(status, initialized)) {
      const first = initializeRun(pass);
      if (first !== undefined) return withFinalizer(state, { ...pass.plan(), steps: first });
    }
  } catch (error) {
    if (!(error instanceof RunAbort)) throw error;
    return withFinalizer(state, failedToInitialize(pass, error));
  }
  try {
    proceed(pass);
  } catch (error) {
    if (!(error instanceof RunAbort)) throw error;
    fail(pass, error);
  }
  return withFinalizer(state, pass.plan());
}

function failedToInitialize(pass: RunPass, { message }: RunAbort): Plan {
  const { run } = pass.state;
  const leftMs = Date.parse(run.metadata.creationTimestamp ?? '') + patienceMs - pass.draft.now.getTime();
  if (leftMs > 0) return { steps: [], requeueAfterMs: leftMs };
  const { status } = pass.draft;
  pass.draft.set(status, updateRunConditions.initialized, 'False', updateRunReasons.initializationFailed, message);
  return pass.plan();
}

/** Throws a RunAbort. */
function proceed(pass: RunPass): void {
  const valid = validateRun(pass);
  if (valid === undefined) return;
  const { state } = pass.state.run.spec;
  if (valid.stage === undefined) return succeed(pass);
  switch (state) {
    case 'Initialize':
      return;
    case 'Run':
      return execute(pass, valid, valid.stage);
    case 'Stop':
    case 'Abandoned':
      return halt(pass, valid, valid.stage, state);
    default:
      throw abortedRun(unexpected(`found unsupported updateRun state: ${String(state)}`));
  }
}

/** Goes through the stages until one has to wait. */
function execute(pass: RunPass, { scope }: ValidRun, from: number): void {
  const { stagesStatus = [], deletionStageStatus, stagedUpdateStrategySnapshot } = pass.draft.status;
  for (const [at, stage] of stagesStatus.entries()) {
    const config = stagedUpdateStrategySnapshot?.stages[at];
    if (at < from || config === undefined) continue;
    if (!withStage(pass, stage, () => updateStage(pass, scope, stage, config))) return;
  }
  const last = deletionStageStatus;
  if (last === undefined || !withStage(pass, last, () => deleteStage(pass, scope, last))) return;
  succeed(pass);
}

/** Throws a RunAbort. */
function halt(pass: RunPass, { scope }: ValidRun, from: number, state: 'Stop' | 'Abandoned'): void {
  const { stagesStatus = [], deletionStageStatus } = pass.draft.status;
  const stage = stagesStatus[from] ?? deletionStageStatus;
  if (stage === undefined) return;
  const isStopped = withStage(pass, stage, () => stopStage(pass, scope, stage, from >= stagesStatus.length));
  if (!isStopped) return;
  if (state === 'Stop') pass.progressing('False', 'stopped', 'The update run has been stopped');
  else abandon(pass);
}

function abandon(pass: RunPass): void {
  const message = 'The update run was abandoned; clusters keep what they have';
  pass.progressing('False', 'abandoned', message);
  pass.draft.set(pass.draft.status, updateRunConditions.succeeded, 'False', updateRunReasons.abandoned, message);
}

function succeed(pass: RunPass): void {
  pass.progressing('False', 'succeeded', 'All stages are completed');
  const { status } = pass.draft;
  const message = 'All stages are completed successfully';
  pass.draft.set(status, updateRunConditions.succeeded, 'True', updateRunReasons.succeeded, message);
}

/** If a stage ends the run, the stage has failed, too. */
function withStage(pass: RunPass, stage: StageStatus, work: () => boolean): boolean {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RunAbort)) throw error;
    const { progressing, succeeded } = updateStageConditions;
    const message = 'Stage update aborted due to a non-recoverable error';
    pass.draft.set(stage, progressing, 'False', updateStageReasons.failed, message);
    pass.draft.set(stage, succeeded, 'False', updateStageReasons.failed, error.message);
    stage.endTime = pass.draft.time;
    throw error;
  }
}

/** Clusters keep what they have. Another run with an older index takes it back. */
function fail(pass: RunPass, { message }: RunAbort): void {
  pass.progressing('False', 'failed', 'The stages are aborted due to a non-recoverable error');
  const { status } = pass.draft;
  pass.draft.set(status, updateRunConditions.succeeded, 'False', updateRunReasons.failed, message);
}

/** The finalizer must be there before there are requests to remove. */
function withFinalizer({ family, run }: RunState, plan: StartingPlan = nothingToDo): StartingPlan {
  const { namespace, name = '', finalizers = [], resourceVersion = '' } = run.metadata;
  if (finalizers.includes(updateRunFinalizer)) return plan;
  const patch = { metadata: { resourceVersion, finalizers: [...finalizers, updateRunFinalizer] } };
  return {
    ...plan,
    steps: [[{ verb: 'patch', kind: family.updateRun, key: { namespace, name }, patch }], ...plan.steps],
  };
}

/** Removes the requests of the run. Its bindings stay as they are. */
function decideDeletion(state: RunState): Plan {
  const { family, run } = state;
  const { namespace, name = '', finalizers = [], resourceVersion = '' } = run.metadata;
  if (!finalizers.includes(updateRunFinalizer)) return nothingToDo;
  const requests = state.approvals().map(({ metadata }): Write => ({
    verb: 'delete',
    kind: family.approvalRequest,
    key: { namespace: metadata.namespace, name: metadata.name ?? '' },
    uid: metadata.uid ?? '',
  }));
  const patch = { metadata: { resourceVersion, finalizers: finalizers.filter((one) => one !== updateRunFinalizer) } };
  return { steps: [requests, [{ verb: 'patch', kind: family.updateRun, key: { namespace, name }, patch }]] };
}

/** Whether a run has ended for good. */
export function hasEnded({ run: { status } }: Pick<RunState, 'run'>): boolean {
  const { initialized, succeeded } = updateRunConditions;
  return (
    conditionOf(status?.conditions, initialized)?.status === 'False' ||
    conditionOf(status?.conditions, succeeded) !== undefined
  );
}
