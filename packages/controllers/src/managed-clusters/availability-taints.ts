import { availabilityTaints, type Condition, type ManagedClusterTaint } from '@flotilla/api';

type ConditionStatus = Condition['status'];

/** Which taint a cluster has, by its availability. An unknown one may be unreachable. */
const keyFor: Readonly<Record<ConditionStatus, string | undefined>> = {
  True: undefined,
  False: availabilityTaints.unavailable,
  Unknown: availabilityTaints.unreachable,
};

const keys: readonly string[] = Object.values(availabilityTaints);

/** The taints with the one that the availability requires, in place of the others. Times of taints that stay are kept. */
export function withAvailabilityTaint(
  taints: readonly ManagedClusterTaint[],
  availability: ConditionStatus,
): ManagedClusterTaint[] {
  const key = keyFor[availability];
  const kept = taints.filter((taint) => !isAvailabilityTaint(taint) || taint.key === key);
  if (key === undefined || kept.some(isAvailabilityTaint)) return kept;
  return [...kept, { key, effect: 'NoSelect' }];
}

/** OCM identifies them by key, value and effect, so that users may have others with the same keys. */
export function isAvailabilityTaint({ key, value = '', effect }: ManagedClusterTaint): boolean {
  return keys.includes(key) && value === '' && effect === 'NoSelect';
}
