import type { PodConditionFields, PodFields } from './pod-fields.ts';

/** Adds or replaces a condition; its time of transition moves only when its status does. */
export function setPodCondition({ status }: PodFields, condition: PodConditionFields, now: Date): void {
  const conditions = (status.conditions ??= []);
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[index];
  const lastTransitionTime =
    before?.status === condition.status ? (before['lastTransitionTime'] ?? null) : `${now.toISOString().slice(0, 19)}Z`;
  const { type, status: is, ...reasons } = condition;
  const after: PodConditionFields = { type, status: is, lastProbeTime: null, lastTransitionTime, ...reasons };
  if (index === -1) conditions.push(after);
  else conditions[index] = after;
}
