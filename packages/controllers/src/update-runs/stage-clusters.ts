/** Which stage updates which cluster, in which order. */
import {
  approvalRequestName,
  type StageStatus,
  type StageTask,
  type StageTaskStatus,
  type UpdatePlan,
  type UpdateStage,
} from '@flotilla/api';
import { compareBytes, labelSelectorFrom, parseGoDuration, SelectorError, type LabelSelector } from '@flotilla/kube';
import type { LabelledCluster } from '../overrides/rule-clusters.ts';
import { invalidRun, userError, type RunAbort } from './run-abort.ts';

export interface StagePlan {
  readonly plan: UpdatePlan;
  /** As Go prints its key. */
  readonly strategy: string;
  readonly run: string;
  readonly clusters: readonly string[];
  readonly cluster: (name: string) => LabelledCluster | undefined;
}

/** Every cluster is in one stage. Throws a RunAbort. */
export function stagesOf(stagePlan: StagePlan): StageStatus[] {
  const { plan, run, clusters } = stagePlan;
  const members = clusters.flatMap((name) => stagePlan.cluster(name) ?? []);
  const placed = new Set<string>();
  const names = new Set<string>();
  const stages = plan.stages.map((stage): StageStatus => {
    // KubeFleet lets stages share a name, and then their approval requests, too.
    if (names.has(stage.name)) throw refused(`stage name \`${stage.name}\` appears more than once`);
    names.add(stage.name);
    checkTasks(stagePlan, stage);
    const selector = selectorOf(stagePlan, stage);
    const found = members.filter(({ metadata }) => selector.matches(metadata.labels));
    for (const {
      metadata: { name = '' },
    } of found) {
      if (placed.has(name)) throw refused(`cluster \`${name}\` appears in more than one stages`);
      placed.add(name);
    }
    const { beforeStageTasks = [], afterStageTasks = [] } = stage;
    return {
      stageName: stage.name,
      clusters: sorted(found, stage.sortingLabelKey).map((clusterName) => ({ clusterName })),
      ...(beforeStageTasks.length > 0 && { beforeStageTaskStatus: tasksOf(run, 'before', stage, beforeStageTasks) }),
      ...(afterStageTasks.length > 0 && { afterStageTaskStatus: tasksOf(run, 'after', stage, afterStageTasks) }),
    };
  });
  checkAllPlaced(clusters, placed);
  return stages;
}

function refused(detail: string): RunAbort {
  return invalidRun(userError(detail));
}

function selectorOf({ strategy }: StagePlan, { name, labelSelector }: UpdateStage): LabelSelector {
  try {
    return labelSelectorFrom(labelSelector);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    const where = `updateStrategy: \`${strategy}\`, stage: ${name}`;
    throw refused(`the stage label selector is invalid, ${where}, err: ${error.message}`);
  }
}

/** By the number in the label, then by name. */
function sorted(members: readonly LabelledCluster[], key: string | undefined): string[] {
  const numbered = members.map(({ metadata: { name = '', labels = {} } }) => ({
    name,
    number: key === undefined ? 0 : numberIn(name, key, Object.hasOwn(labels, key) ? (labels[key] ?? '') : ''),
  }));
  return numbered.sort((a, b) => a.number - b.number || compareBytes(a.name, b.name)).map(({ name }) => name);
}

function numberIn(cluster: string, key: string, text: string): number {
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  const why = `strconv.Atoi: parsing "${text}": invalid syntax`;
  throw refused(`the sorting label \`${key}:${text}\` on cluster \`${cluster}\` is not valid: ${why}`);
}

function checkAllPlaced(clusters: readonly string[], placed: ReadonlySet<string>): void {
  const missing = clusters.filter((name) => !placed.has(name)).sort(compareBytes);
  if (missing.length === 0) return;
  const shown = missing.slice(0, 10).join(', ');
  throw refused(`some clusters are not placed in any stage, total ${missing.length}, showing up to 10: ${shown}`);
}

function tasksOf(
  run: string,
  place: 'before' | 'after',
  { name }: UpdateStage,
  tasks: readonly StageTask[],
): StageTaskStatus[] {
  return tasks.map(({ type }) => ({
    type,
    ...(type === 'Approval' && { approvalRequestName: approvalRequestName(run, place, name) }),
  }));
}

/** Admission refuses these tasks; strategies may have passed none. */
function checkTasks({ strategy }: StagePlan, { name, beforeStageTasks = [], afterStageTasks = [] }: UpdateStage): void {
  const before = beforeTasksProblem(beforeStageTasks);
  const after = afterTasksProblem(afterStageTasks);
  const where = `updateStrategy: \`${strategy}\`, stage: ${name}`;
  if (before !== undefined) throw refused(`the before stage tasks are invalid, ${where}, err: ${before}`);
  if (after !== undefined) throw refused(`the after stage tasks are invalid, ${where}, err: ${after}`);
}

function beforeTasksProblem(tasks: readonly StageTask[]): string | undefined {
  if (tasks.length > 1) return 'beforeStageTasks can have at most one task';
  const [task] = tasks;
  if (task === undefined) return undefined;
  if (task.type !== 'Approval') {
    return `task 0 of type ${task.type} is not allowed in beforeStageTasks, allowed type: Approval`;
  }
  return task.waitTime === undefined ? undefined : 'task 0 of type Approval cannot have wait duration set';
}

function afterTasksProblem(tasks: readonly StageTask[]): string | undefined {
  const [first, second] = tasks;
  if (first !== undefined && first.type === second?.type) {
    return `afterStageTasks cannot have two tasks of the same type: ${first.type}`;
  }
  for (const [index, { type, waitTime }] of tasks.entries()) {
    if (type !== 'TimedWait') continue;
    if (waitTime === undefined) return `task ${index} of type TimedWait has wait duration set to nil`;
    if (waitMs(waitTime) <= 0) return `task ${index} of type TimedWait has wait duration <= 0`;
  }
  return undefined;
}

/** Text that is no duration waits for nothing. */
export function waitMs(waitTime: string): number {
  try {
    return Number(parseGoDuration(waitTime) / 1_000_000n);
  } catch {
    return 0;
  }
}
