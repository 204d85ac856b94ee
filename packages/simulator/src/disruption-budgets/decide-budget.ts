import { formatTime, type LabelSelectorObject, shareOf } from '@flotilla/kube';
import type { Plan, PlannedEvent } from '@flotilla/runtime';
import { kinds, type Condition, type DisruptionBudget, type DisruptionBudgetStatus, type Pod } from '../kinds.ts';
import { isReady, isTerminating } from '../pods/pod-state.ts';
import type { ExpectedScale } from './expected-scale.ts';

export interface BudgetState {
  readonly budget: Readonly<DisruptionBudget>;
  /** The pods that it selects. */
  readonly pods: readonly Readonly<Pod>[];
  /** What their controllers want; only if the budget depends on it. */
  readonly scale?: ExpectedScale;
}

/** An eviction that has not deleted its pod after this time is forgotten. */
const deletionTimeoutMs = 120_000;

/** Counts healthy pods, and allows as many disruptions as there are more than desired. */
export function decideBudget(state: BudgetState, now: Date): Plan {
  const { budget, pods, scale } = state;
  const events: PlannedEvent[] = pods.length === 0 ? [eventOf(budget, 'NoPods', 'No matching pods found')] : [];
  if (scale !== undefined && 'failure' in scale) {
    const message = `Failed to calculate the number of expected pods: ${scale.failure}`;
    events.push({ ...eventOf(budget, 'CalculateExpectedPodCountFailed', message), type: 'Warning' });
    return { ...statusWrite(budget, failedStatus(budget, scale.failure, now)), events };
  }
  if (scale !== undefined && scale.unmanaged.length > 0) {
    events.push({ ...eventOf(budget, 'UnmanagedPods', unmanagedMessage(budget.spec?.selector)), type: 'Warning' });
  }
  const { desired, expected } = wanted(state);
  const { disrupted, late, waitMs } = disruptedPods(state, now);
  const healthy = pods.filter(
    (pod) => !isTerminating(pod) && !Object.hasOwn(disrupted, pod.metadata.name ?? '') && isReady(pod),
  ).length;
  const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0;
  const { generation = 0, namespace } = budget.metadata;
  const reason = allowed > 0 ? 'SufficientPods' : 'InsufficientPods';
  const status: DisruptionBudgetStatus = {
    observedGeneration: generation,
    ...(Object.keys(disrupted).length > 0 && { disruptedPods: disrupted }),
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: withAllowed(budget, allowed > 0, { reason, message: '', observedGeneration: generation }, now),
  };
  // Kubernetes prints the namespace twice.
  const notDeleted = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
  for (const pod of late) events.push({ about: pod, type: 'Warning', reason: 'NotDeleted', message: notDeleted });
  return { ...statusWrite(budget, status), events, ...(waitMs !== undefined && { requeueAfterMs: waitMs }) };
}

function statusWrite(budget: Readonly<DisruptionBudget>, status: DisruptionBudgetStatus): Plan {
  const object = { ...budget, status };
  return { steps: [[{ verb: 'update', kind: kinds.disruptionBudget, object, subresource: 'status' }]] };
}

/** Without a count nothing may be disrupted. */
function failedStatus(budget: Readonly<DisruptionBudget>, message: string, now: Date): DisruptionBudgetStatus {
  const { status } = budget;
  const { observedGeneration = 0 } = status ?? {};
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...status,
    disruptionsAllowed: 0,
    conditions: withAllowed(budget, false, { reason: 'SyncFailed', message, observedGeneration }, now),
  };
}

function withAllowed(
  { status }: Readonly<DisruptionBudget>,
  isAllowed: boolean,
  {
    reason,
    message,
    observedGeneration,
  }: { readonly reason: string; readonly message: string; readonly observedGeneration: number },
  now: Date,
): Condition[] {
  const { conditions = [] } = status ?? {};
  const type = 'DisruptionAllowed';
  const index = conditions.findIndex((condition) => condition.type === type);
  const before = conditions[index];
  const is = isAllowed ? 'True' : 'False';
  const condition: Condition = {
    type,
    status: is,
    ...(observedGeneration > 0 && { observedGeneration }),
    lastTransitionTime: (before?.status === is ? before.lastTransitionTime : undefined) ?? formatTime(now),
    reason,
    message,
  };
  return before === undefined ? [...conditions, condition] : conditions.with(index, condition);
}

function wanted({ budget, pods, scale }: BudgetState): { readonly desired: number; readonly expected: number } {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const expected = scale !== undefined && 'count' in scale ? scale.count : pods.length;
  if (maxUnavailable !== undefined)
    return { desired: Math.max(0, expected - shareOf(maxUnavailable, expected, Math.ceil)), expected };
  if (minAvailable !== undefined) return { desired: shareOf(minAvailable, expected, Math.ceil), expected };
  return { desired: 0, expected: 0 };
}

interface DisruptedPods {
  /** When the eviction of a pod was allowed, by its name. */
  readonly disrupted: Readonly<Record<string, string>>;
  /** Pods that should be gone. */
  readonly late: readonly Readonly<Pod>[];
  readonly waitMs: number | undefined;
}

/** Evictions whose pod is not being deleted yet. */
function disruptedPods({ budget, pods }: BudgetState, now: Date): DisruptedPods {
  const { disruptedPods: before = {} } = budget.status ?? {};
  const disrupted: [string, string][] = [];
  const late: Readonly<Pod>[] = [];
  let waitMs: number | undefined;
  for (const pod of pods) {
    const { name = '' } = pod.metadata;
    const time = Object.hasOwn(before, name) ? before[name] : undefined;
    if (time === undefined || isTerminating(pod)) continue;
    const left = Date.parse(time) + deletionTimeoutMs - now.getTime();
    if (left < 0 || Number.isNaN(left)) late.push(pod);
    else {
      disrupted.push([name, time]);
      // Until the timeout has passed.
      waitMs = Math.min(waitMs ?? Infinity, left + 1);
    }
  }
  return { disrupted: Object.fromEntries(disrupted), late, waitMs };
}

function eventOf(about: Readonly<DisruptionBudget>, reason: string, message: string): PlannedEvent {
  return { about, type: 'Normal', reason, message };
}

function unmanagedMessage(selector: LabelSelectorObject | undefined): string {
  return (
    `Pods selected by this PodDisruptionBudget (selector: ${goText(selector)}) were found to be unmanaged. As a result, the status ` +
    'of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ' +
    '".spec.minAvailable" field of the PDB to an integer value.'
  );
}

/** A selector as Go prints it. */
function goText(selector: LabelSelectorObject | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  const map = labels.map(([key, value]) => `${key}: ${value},`).join('');
  return `&LabelSelector{MatchLabels:map[string]string{${map}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
