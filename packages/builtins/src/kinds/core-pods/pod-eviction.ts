/** Which pods an eviction may remove, given the budgets that guard them. */
import { setPodCondition } from './pod-condition.ts';
import type { PodFields } from './pod-fields.ts';

/** A PodDisruptionBudget, as far as evictions care. */
export interface DisruptionBudgetFields {
  readonly spec?: { readonly unhealthyPodEvictionPolicy?: string };
  readonly status?: { readonly currentHealthy?: number; readonly desiredHealthy?: number };
}

/** A pod that has not started or has ended disrupts nobody by going. */
export function isOutsideBudgets({ metadata, status }: PodFields): boolean {
  return metadata.deletionTimestamp !== undefined || ['Succeeded', 'Failed', 'Pending'].includes(status.phase ?? '');
}

/** A pod that is not ready may go without being counted, where the others are enough or the budget does not mind. */
export function isUncounted({ status }: PodFields, budget: DisruptionBudgetFields): boolean {
  if (status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')) return false;
  if (budget.spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

/** Before it goes, the pod says why. */
export function markEvicted(pod: PodFields, now: Date): void {
  const reason = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
  setPodCondition(pod, { type: 'DisruptionTarget', status: 'True', ...reason }, now);
}
