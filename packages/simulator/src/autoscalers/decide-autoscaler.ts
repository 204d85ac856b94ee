import type { ApiError, JsonObject } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import type { AutoscalerState, ScaleTarget } from './autoscaler-state.ts';
import { evaluateMetrics } from './evaluate-metrics.ts';
import { limit, noteChange, syncPeriodMs, type ScalingHistory } from './scaling-limits.ts';
import { StatusDraft } from './status-draft.ts';

export interface AutoscalerDecision {
  readonly plan: Plan;
  readonly history: ScalingHistory;
}

/** Compares metrics with their targets, and scales the target between its bounds. */
export function decideAutoscaler(state: AutoscalerState, now: Date): AutoscalerDecision {
  const { autoscaler, target } = state;
  const history = noteChange(state.history, autoscaler);
  const sinceScale = now.getTime() - Date.parse(autoscaler.status?.lastScaleTime ?? '');
  if (sinceScale >= 0 && sinceScale < syncPeriodMs) {
    // Kubernetes compares once in each period: what it scales has time to react.
    return { plan: { ...nothingToDo, requeueAfterMs: syncPeriodMs - sinceScale }, history };
  }
  const draft = new StatusDraft(autoscaler, now);
  if ('failure' in target) {
    draft.warn('FailedGetScale', target.failure);
    const message = `the HPA controller was unable to get the target's current scale: ${target.failure}`;
    draft.setCondition('AbleToScale', 'False', { reason: 'FailedGetScale', message });
    return { plan: draft.planWith({ ...autoscaler.status }), history };
  }
  const message = "the HPA controller was able to get the target's current scale";
  draft.setCondition('AbleToScale', 'True', { reason: 'SucceededGetScale', message });
  return scale(draft, { ...state, history }, target);
}

function scale(draft: StatusDraft, state: AutoscalerState, target: ScaleTarget): AutoscalerDecision {
  const { autoscaler, history } = state;
  const { minReplicas: min = 1, maxReplicas: max = min } = autoscaler.spec ?? {};
  const { replicas: current } = target;
  if (current === 0) {
    const message = 'scaling is disabled since the replica count of the target is zero';
    draft.setCondition('ScalingActive', 'False', { reason: 'ScalingDisabled', message });
    return { plan: draft.plan(0, 0, null), history };
  }
  if (current > max) {
    return { plan: rescale(draft, target, max, null, 'Current number of replicas above Spec.MaxReplicas'), history };
  }
  if (current < min) {
    return { plan: rescale(draft, target, min, null, 'Current number of replicas below Spec.MinReplicas'), history };
  }
  const result = evaluateMetrics(draft, state, target);
  if ('failure' in result) {
    draft.warn('FailedComputeMetricsReplicas', result.failure);
    return { plan: draft.plan(current, autoscaler.status?.desiredReplicas ?? 0, result.statuses), history };
  }
  const limited = limit({ autoscaler, current, desired: result.replicas, min, max }, history, draft.now.getTime());
  const matches = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
  draft.setCondition('AbleToScale', 'True', limited.stabilized ?? matches);
  draft.setCondition('ScalingLimited', limited.limit.isLimiting ? 'True' : 'False', limited.limit);
  if (limited.replicas !== current) {
    const reason = result.replicas > current ? `${result.metric} above target` : 'All metrics below target';
    return { plan: rescale(draft, target, limited.replicas, result.statuses, reason), history: limited.history };
  }
  const waits = [limited.waitMs, result.waitMs].filter((wait) => wait !== undefined);
  const requeue = waits.length > 0 ? { requeueAfterMs: Math.min(...waits) } : {};
  return { plan: { ...draft.plan(current, current, result.statuses), ...requeue }, history: limited.history };
}

function rescale(
  draft: StatusDraft,
  { kind, object, replicas: current }: ScaleTarget,
  replicas: number,
  statuses: JsonObject[] | null,
  why: string,
): Plan {
  const { namespace, name = '', resourceVersion = '' } = object.metadata;
  const text = `New size: ${replicas}; reason: ${why}`;
  const write: Write = {
    verb: 'patch',
    kind,
    key: { namespace, name },
    patch: { metadata: { resourceVersion }, spec: { replicas } },
    subresource: 'scale',
    event: { about: draft.autoscaler, type: 'Normal', reason: 'SuccessfulRescale', message: text },
  };
  const message = `the HPA controller was able to update the target scale to ${replicas}`;
  draft.setCondition('AbleToScale', 'True', { reason: 'SucceededRescale', message });
  const plan = draft.plan(current, replicas, statuses, true);
  const refused = (error: ApiError): Plan => {
    draft.warn('FailedRescale', `${text}; error: ${error.message}`);
    const problem = `the HPA controller was unable to update the target scale: ${error.message}`;
    draft.setCondition('AbleToScale', 'False', { reason: 'FailedUpdateScale', message: problem });
    return draft.plan(current, draft.autoscaler.status?.desiredReplicas ?? 0, statuses);
  };
  return { ...plan, steps: [[write], ...plan.steps], refused };
}
