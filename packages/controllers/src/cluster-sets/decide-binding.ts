import {
  clusterSetBindingConditions,
  clusterSetBindingReasons,
  managedClusterSetBindings,
  withCondition,
  type ManagedClusterSetBinding,
} from '@flotilla/api';
import type { Plan } from '@flotilla/runtime';

export interface BindingState {
  readonly binding: Readonly<ManagedClusterSetBinding>;
  readonly hasSet: boolean;
}

/** Whether the set of a binding exists. Placements look for the set themselves. */
export function decideBinding({ binding, hasSet }: BindingState, now: Date): Plan {
  const { bound, notFound } = clusterSetBindingReasons;
  const condition = {
    type: clusterSetBindingConditions.bound,
    status: hasSet ? 'True' : 'False',
    reason: hasSet ? bound : notFound,
    message: '',
  } as const;
  const conditions = withCondition(binding.status?.conditions ?? [], condition, now);
  const object: ManagedClusterSetBinding = { ...binding, status: { ...binding.status, conditions } };
  return { steps: [[{ verb: 'update', kind: managedClusterSetBindings, object, subresource: 'status' }]] };
}
