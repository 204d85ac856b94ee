/** Conditions, found by type. Their transition time is that of the last change of their status. */
import { formatTime } from '@flotilla/kube';
import type { Condition } from './parts/condition.ts';

/** A condition without its transition time. */
export type ConditionState = Omit<Condition, 'lastTransitionTime'>;

export function conditionOf<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether it is true of the current generation. */
export function isTrueNow(condition: Condition | undefined, generation: number | undefined): boolean {
  return condition?.status === 'True' && (condition.observedGeneration ?? 0) === (generation ?? 0);
}

/** Replaces or appends a condition. Its transition time is `since`, unless the status is unchanged. */
export function withCondition(conditions: readonly Condition[], state: ConditionState, since: Date): Condition[] {
  return withDatedCondition(conditions, { ...state, lastTransitionTime: formatTime(since) });
}

/** The same, for a condition that already has a transition time. */
export function withDatedCondition(conditions: readonly Condition[], condition: Condition): Condition[] {
  const before = conditionOf(conditions, condition.type);
  if (before === undefined) return [...conditions, condition];
  const isUnchanged = before.status === condition.status;
  const next = isUnchanged ? { ...condition, lastTransitionTime: before.lastTransitionTime } : condition;
  return conditions.map((one) => (one === before ? next : one));
}

export function withoutCondition(conditions: readonly Condition[], type: string): Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}
