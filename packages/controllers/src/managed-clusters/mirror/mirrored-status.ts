import {
  managedClusterConditions,
  managedClusterReasons,
  propertyNames,
  withCondition,
  withoutCondition,
  type ConditionState,
  type ManagedClusterStatus,
  type MemberCluster,
} from '@flotilla/api';
import { claimsOf, propertyOf } from './properties.ts';

export interface StatusDetails {
  readonly condition: ConditionState;
  readonly isAccepted: boolean;
}

const [types, reasons] = [managedClusterConditions, managedClusterReasons];

const accepted: ConditionState = {
  type: types.hubAccepted,
  status: 'True',
  reason: reasons.accepted,
  message: 'Accepted by hub cluster admin',
};

const joined: ConditionState = {
  type: types.joined,
  status: 'True',
  reason: reasons.joined,
  message: 'Managed cluster joined',
};

/** The status of a mirror. Times of the member's reports are left out: a heartbeat that brings nothing new changes nothing. */
export function mirroredStatus(
  member: Readonly<MemberCluster>,
  stored: Readonly<ManagedClusterStatus> = {},
  { condition, isAccepted }: StatusDetails,
  now: Date,
): ManagedClusterStatus {
  const { capacity: _c, allocatable: _a, version: _v, clusterClaims: _claims, ...rest } = stored;
  const { capacity, allocatable } = member.status?.resourceUsage ?? {};
  const kubernetes = propertyOf(member, propertyNames.kubernetesVersion);
  const clusterClaims = claimsOf(member);
  const { conditions = [] } = stored;
  // OCM expects leases of clusters that were accepted once. It may have been installed after that.
  const before = isAccepted ? conditions : withoutCondition(conditions, types.hubAccepted);
  const states = [...(isAccepted ? [accepted] : []), joined, condition];
  return {
    ...rest,
    conditions: states.reduce((list, state) => withCondition(list, state, now), before),
    ...(capacity && { capacity }),
    ...(allocatable && { allocatable }),
    ...(kubernetes !== undefined && { version: { kubernetes } }),
    ...(clusterClaims.length > 0 && { clusterClaims }),
  };
}
