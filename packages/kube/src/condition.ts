import type { JsonObject } from './json/value.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

/** metav1.Condition: one statement about an object, with the time since when it holds. */
export interface Condition extends JsonObject {
  type: string;
  status: ConditionStatus;
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** What to say; `setCondition` adds the time where none is given. */
export interface ConditionUpdate {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
  readonly reason: string;
  readonly message: string;
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

/**
 * The conditions with this one set. The transition time moves only with the status. When nothing changes, the same array
 * comes back, so that callers can tell.
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  update: ConditionUpdate,
  now: string,
): readonly Condition[] {
  const current = findCondition(conditions, update.type);
  if (current === undefined) return [...(conditions ?? []), conditionFrom(update, update.lastTransitionTime ?? now)];
  const hasMoved = current.status !== update.status;
  const next = conditionFrom(update, hasMoved ? (update.lastTransitionTime ?? now) : current.lastTransitionTime);
  if (isSame(current, next)) return conditions ?? [];
  return (conditions ?? []).map((condition) => (condition === current ? { ...current, ...next } : condition));
}

export function removeCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return findCondition(conditions, type) === undefined ? conditions : conditions.filter((one) => one.type !== type);
}

function conditionFrom(
  { type, status, observedGeneration, reason, message }: ConditionUpdate,
  time: string,
): Condition {
  const generation = observedGeneration === undefined ? {} : { observedGeneration };
  return { type, status, ...generation, lastTransitionTime: time, reason, message };
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  );
}
