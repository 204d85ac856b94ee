/** Whether a run still fits its placement, and which stage is next. */
import {
  conditionOf,
  updateRunConditions,
  updateStageConditions,
  clusterUpdatingConditions,
  type StageStatus,
} from '@flotilla/api';
import { goJson } from '@flotilla/kube';
import { isSameStrategy } from '../rollout/binding-writes.ts';
import { stagesIn } from './initialize-run.ts';
import { abortedRun, patienceMs, RunAbort, unexpected, userError } from './run-abort.ts';
import { isTrue, statusOf } from './run-draft.ts';
import type { RunPass } from './run-pass.ts';
import { policyTime, scopeOf, selectedNow, type Known, type RunScope } from './run-scope.ts';

export interface ValidRun {
  readonly scope: RunScope;
  /** The stage to work on; the number of stages for the delete stage; undefined if all are done. */
  readonly stage: number | undefined;
}

/** Undefined if the scheduler is about to change bindings. Throws a RunAbort. */
export function validateRun(pass: RunPass): ValidRun | undefined {
  const { state } = pass;
  let scope: RunScope | undefined;
  try {
    scope = scopeOf(state, (known) => checkKnown(pass, known));
    if (scope === undefined) return undefined;
    checkStages(pass, scope);
    checkLeaving(pass, scope);
  } catch (error) {
    if (!(error instanceof RunAbort)) throw error;
    const explained = withChanges(pass, error);
    if (explained === undefined) return undefined;
    throw explained;
  }
  return { scope, stage: nextStage(pass) };
}

/** Each fact as soon as it is known: the first that differs is the reason. */
function checkKnown({ draft }: RunPass, known: Known): void {
  const { appliedStrategy, policySnapshotIndexUsed: index, policyObservedClusterCount: count } = known;
  const recorded = draft.status;
  if (appliedStrategy !== undefined && !isSameStrategy(recorded.appliedStrategy, appliedStrategy)) {
    const strategies = `latest: ${goJson(appliedStrategy)}, recorded: ${goJson(recorded.appliedStrategy ?? null)}`;
    throw abortedRun(userError(`the applyStrategy in the updateRun is outdated, ${strategies}`));
  }
  if (index !== undefined && index !== recorded.policySnapshotIndexUsed) {
    const indexes = `latest: ${index}, recorded: ${recorded.policySnapshotIndexUsed ?? ''}`;
    throw abortedRun(`the policy snapshot index used in the updateRun is outdated, ${indexes}`);
  }
  if (count !== undefined && count >= 0 && count !== recorded.policyObservedClusterCount) {
    const counts = `latest: ${count}, recorded: ${recorded.policyObservedClusterCount ?? 0}`;
    throw abortedRun(`the cluster count initialized in the updateRun is outdated, ${counts}`);
  }
}

function checkStages({ state, draft }: RunPass, scope: RunScope): void {
  const { stagedUpdateStrategySnapshot: plan, stagesStatus: before } = draft.status;
  if (plan === undefined) throw abortedRun(unexpected('the updateRun has nil updateStrategySnapshot'));
  if (before === undefined) throw abortedRun(unexpected('the updateRun has nil stagesStatus'));
  const now = stagesIn(state, scope, plan);
  if (now.length !== before.length) {
    const numbers = `new: ${now.length}, existing: ${before.length}`;
    throw abortedRun(`the number of stages in the updateRun has changed, ${numbers}`);
  }
  for (const [at, stage] of now.entries()) {
    const known = before[at];
    if (known === undefined) continue;
    if (stage.stageName !== known.stageName) {
      const names = `new: ${stage.stageName}, existing: ${known.stageName}`;
      throw abortedRun(`index \`${at}\` stage name in the updateRun has changed, ${names}`);
    }
    if (stage.clusters.length !== known.clusters.length) {
      const numbers = `new: ${stage.clusters.length}, existing: ${known.clusters.length}`;
      throw abortedRun(`the number of clusters in index \`${at}\` stage has changed, ${numbers}`);
    }
    for (const [position, { clusterName }] of stage.clusters.entries()) {
      const existing = known.clusters[position]?.clusterName;
      if (clusterName === existing) continue;
      const names = `new: ${clusterName}, existing: ${existing}`;
      throw abortedRun(`the \`${position}\` cluster in the \`${at}\` stage has changed, ${names}`);
    }
  }
}

function checkLeaving({ draft }: RunPass, { leaving }: RunScope): void {
  const { deletionStageStatus: stage } = draft.status;
  if (stage === undefined) throw abortedRun(unexpected('the updateRun has nil deletionStageStatus'));
  const listed = new Set(stage.clusters.map(({ clusterName }) => clusterName));
  for (const cluster of leaving.keys()) {
    if (listed.has(cluster)) continue;
    throw abortedRun(unexpected(`the cluster \`${cluster}\` to be deleted is not in the delete stage`));
  }
}

/**
 * Users ask why their run has ended: it names the clusters, and the command that starts the next run. A new policy has no
 * clusters until it is scheduled. Undefined while that is worth waiting for.
 */
function withChanges(pass: RunPass, abort: RunAbort): RunAbort | undefined {
  const { run, parent } = pass.state;
  if (parent?.placement.spec.strategy?.type !== 'External') return abort;
  const selected = selectedNow(pass.state, parent);
  if (selected === undefined) {
    const leftMs = policyTime(parent) + patienceMs - pass.draft.now.getTime();
    if (leftMs > 0) {
      pass.wakeAfter(leftMs);
      return undefined;
    }
  }
  const before = (run.status?.stagesStatus ?? []).flatMap(({ clusters }) => clusters.map((one) => one.clusterName));
  const known = new Set(before);
  const came = [...(selected?.keys() ?? [])].filter((name) => !known.has(name));
  const went = selected === undefined ? [] : before.filter((name) => !selected.has(name));
  const { namespace, name = '' } = run.metadata;
  const sentences = [
    ...(came.length > 0 ? [`clusters that came: ${shown(came)}`] : []),
    ...(went.length > 0 ? [`clusters that went: ${shown(went)}`] : []),
    `start the next run with: kubectl fleet rerun ${name}${namespace === undefined ? '' : ` -n ${namespace}`}`,
  ];
  return new RunAbort([abort.message, ...sentences].join('; '));
}

function shown(names: readonly string[]): string {
  return names.length > 10 ? `${names.slice(0, 10).join(', ')} and ${names.length - 10} more` : names.join(', ');
}

/** Finished stages come first, then at most one that is under way. Throws a RunAbort if the status says otherwise. */
function nextStage({ draft }: RunPass): number | undefined {
  const { stagesStatus: stages = [], deletionStageStatus } = draft.status;
  let finished = -1;
  let updating: number | undefined;
  for (const [at, stage] of stages.entries()) {
    const { succeeded, progressing } = updateStageConditions;
    const outcome = conditionOf(stage.conditions, succeeded);
    if (outcome?.status === 'False') {
      throw abortedRun(`the stage \`${stage.stageName}\` has failed, err: ${outcome.message}`);
    }
    if (outcome?.status === 'True') {
      checkFinished(stage, at, finished, updating);
      finished = at;
    } else if (conditionOf(stage.conditions, progressing) !== undefined) {
      checkUpdating(stage, at, finished, updating);
      updating = at;
    }
  }
  const next = updating ?? finished + 1;
  return deletionStageStatus === undefined ? next : afterDeleteStage(deletionStageStatus, next, stages.length);
}

function checkFinished(stage: StageStatus, at: number, finished: number, updating: number | undefined): void {
  const { stageName, clusters } = stage;
  if (updating !== undefined) {
    throw abortedRun(unexpected(`the finished stage \`${at}\` is after the updating stage \`${updating}\``));
  }
  if (at !== finished + 1) {
    const why = `the finished stage \`${stageName}\` is not right after the last finished stage with index \`${finished}\``;
    throw abortedRun(unexpected(why));
  }
  const open = clusters.find((cluster) => !isTrue(cluster, clusterUpdatingConditions.succeeded));
  if (open === undefined) return;
  const why = `cluster \`${open.clusterName}\` in the finished stage \`${stageName}\` has not succeeded`;
  throw abortedRun(unexpected(why));
}

function checkUpdating({ stageName }: StageStatus, at: number, finished: number, updating: number | undefined): void {
  if (updating !== undefined) {
    const why = `the stage \`${stageName}\` is updating, but there is already a stage with index \`${updating}\` updating`;
    throw abortedRun(unexpected(why));
  }
  if (at === finished + 1) return;
  const why = `the updating stage \`${stageName}\` is not right after the last finished stage with index \`${finished}\``;
  throw abortedRun(unexpected(why));
}

function afterDeleteStage(stage: StageStatus, next: number, count: number): number | undefined {
  const { succeeded, progressing } = updateStageConditions;
  const outcome = conditionOf(stage.conditions, succeeded);
  const isActive = outcome !== undefined || statusOf(stage, progressing) !== undefined;
  if (isActive && next < count) {
    const where = `updatingStageIndex: ${next}, lastFinishedStageIndex: ${next - 1}`;
    throw abortedRun(unexpected(`the delete stage is active, but there are still stages updating, ${where}`));
  }
  if (outcome?.status === 'False') throw abortedRun(`the delete stage has failed, err: ${outcome.message}`);
  return outcome?.status === 'True' ? undefined : next;
}

export function isInitialized(pass: RunPass): boolean {
  return isTrue(pass.draft.status, updateRunConditions.initialized);
}
