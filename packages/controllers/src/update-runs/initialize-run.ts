/** The first part of a run: which clusters get what, stage by stage. It is recorded in the status and stays as it is. */
import {
  deleteStageName,
  updateRunConditions,
  updateRunReasons,
  type ClusterUpdatingStatus,
  type UpdatePlan,
} from '@flotilla/api';
import { compareBytes, copyJson } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { invalidRun, userError } from './run-abort.ts';
import type { RunPass } from './run-pass.ts';
import { resourcesOf } from './run-resources.ts';
import { scopeOf, type RunScope } from './run-scope.ts';
import type { OverridesOf, RunState } from './run-state.ts';
import { stagesOf } from './stage-clusters.ts';

/** Undefined when the status is complete, else the writes that come first. Throws a RunAbort. */
export function initializeRun(pass: RunPass): readonly (readonly Write[])[] | undefined {
  const { state, draft } = pass;
  const scope = scopeOf(state, (known) => Object.assign(draft.status, known));
  // The bindings are about to change, and wake the run.
  if (scope === undefined) return [];
  draft.status.policyObservedClusterCount = scope.clusterCount;
  const { run, strategy } = state;
  if (strategy === undefined) {
    const key = `${run.metadata.namespace ?? ''}/${run.spec.stagedRolloutStrategyName}`;
    throw invalidRun(userError(`referenced updateStrategy not found: \`${key}\``));
  }
  const warning = otherStrategiesOf(state);
  const plan = withoutApprovalTimes(copyJson(strategy.spec) as UpdatePlan);
  draft.status.stagedUpdateStrategySnapshot = plan;
  const stages = stagesIn(state, scope, plan);
  draft.status.stagesStatus = stages;
  draft.status.deletionStageStatus = { stageName: deleteStageName, clusters: leavingIn(scope) };
  const resources = resourcesOf(state, scope.parent, draft.now);
  if ('steps' in resources) return resources.steps;
  draft.status.resourceSnapshotIndexUsed = String(resources.index);
  const overrides = state.overridesIn(resources.index);
  if (overrides === undefined) {
    pass.wakeAfter(1);
    return [];
  }
  for (const cluster of stages.flatMap(({ clusters }) => clusters)) nameOverrides(state, cluster, overrides);
  if (warning !== undefined) {
    pass.record({ about: run, type: 'Warning', reason: 'UpdateRunStrategiesDiffer', message: warning });
  }
  const message = `The UpdateRun initialized successfully${warning === undefined ? '' : `; ${warning}`}`;
  draft.set(draft.status, updateRunConditions.initialized, 'True', updateRunReasons.initialized, message);
  return undefined;
}

export function stagesIn(state: RunState, { selected }: RunScope, plan: UpdatePlan) {
  const { run, cluster } = state;
  const { namespace = '', name = '' } = run.metadata;
  const strategy = `${namespace}/${run.spec.stagedRolloutStrategyName}`;
  return stagesOf({ plan, strategy, run: name, clusters: [...selected.keys()], cluster });
}

function leavingIn({ leaving }: RunScope): ClusterUpdatingStatus[] {
  return [...leaving.keys()].sort(compareBytes).map((clusterName) => ({ clusterName }));
}

/** They are those of the beginning, also if overrides change during the run. */
function nameOverrides(state: RunState, status: ClusterUpdatingStatus, overrides: OverridesOf): void {
  const member = state.cluster(status.clusterName);
  if (member === undefined) return;
  const { clusterResourceOverrideSnapshots, resourceOverrideSnapshots } = overrides(member);
  if (clusterResourceOverrideSnapshots.length > 0) {
    status.clusterResourceOverrideSnapshots = clusterResourceOverrideSnapshots;
  }
  if (resourceOverrideSnapshots.length > 0) status.resourceOverrideSnapshots = resourceOverrideSnapshots;
}

/** An approval has no time. Its rule would refuse the status with one. */
function withoutApprovalTimes(plan: UpdatePlan): UpdatePlan {
  for (const { beforeStageTasks = [], afterStageTasks = [] } of plan.stages) {
    for (const task of [...beforeStageTasks, ...afterStageTasks]) if (task.type === 'Approval') delete task.waitTime;
  }
  return plan;
}

/** Runs with different stages that update the same clusters come into each other's way. */
function otherStrategiesOf(state: RunState): string | undefined {
  const { run, settings } = state;
  const strategy = run.spec.stagedRolloutStrategyName;
  const others = state.others().filter(({ spec }) => spec.stagedRolloutStrategyName !== strategy);
  if (others.length === 0) return undefined;
  const names = others.map(({ metadata, spec }) => `${metadata.name} (${spec.stagedRolloutStrategyName})`);
  const sentence = `other runs of the placement follow other strategies: ${names.slice(0, 3).join(', ')}`;
  if (settings.requiresSameStrategy) throw invalidRun(userError(sentence));
  return sentence;
}
