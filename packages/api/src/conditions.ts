/** Conditions as every stage reads and writes them: found by type, dated by when their status last changed. */
import { formatTime } from '@flotilla/kube';
import type { Condition } from './parts/condition.ts';

/** What a condition says, without when it began to. */
export type ConditionState = Omit<Condition, 'lastTransitionTime'>;

export function conditionOf<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether it is true of the object as it is now. */
export function isTrueNow(condition: Condition | undefined, generation: number | undefined): boolean {
  return condition?.status === 'True' && (condition.observedGeneration ?? 0) === (generation ?? 0);
}

/** The conditions with this one in its place, or at the end. It began at `since`, unless it said the same before. */
export function withCondition(conditions: readonly Condition[], state: ConditionState, since: Date): Condition[] {
  return withDatedCondition(conditions, { ...state, lastTransitionTime: formatTime(since) });
}

/** The same, for a condition that somebody else has dated. */
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
