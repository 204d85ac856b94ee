import { formatTime } from '@flotilla/kube';
import type { Condition, DisruptionBudget } from '../kinds.ts';
import type { NextStatus } from '../status/next-status.ts';

/** There are no pods, so no disruption is allowed. A percentage of no pods is zero; a number stays as desired. */
export function disruptionBudgetStatus(
  { metadata, spec = {}, status }: Readonly<DisruptionBudget>,
  now: Date,
): NextStatus {
  const { generation = 0 } = metadata;
  const { minAvailable } = spec;
  const before = status?.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const isSame = before?.status === 'False' && before.reason === 'InsufficientPods';
  const condition: Condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: generation,
    lastTransitionTime: (isSame ? before.lastTransitionTime : undefined) ?? formatTime(now),
    reason: 'InsufficientPods',
    message: '',
  };
  return {
    status: {
      observedGeneration: generation,
      disruptionsAllowed: 0,
      currentHealthy: 0,
      desiredHealthy: typeof minAvailable === 'number' ? minAvailable : 0,
      expectedPods: 0,
      conditions: [condition],
    },
  };
}
