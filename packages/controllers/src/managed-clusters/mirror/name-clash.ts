/** A member whose name a ManagedCluster of OCM or of a user has. It has no mirror, and its MemberCluster says so. */
import {
  conditionOf,
  memberClusterConditions,
  memberClusterReasons,
  withCondition,
  withoutCondition,
  type ConditionState,
  type MemberCluster,
} from '@flotilla/api';
import { quote } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { statusWrites } from '../../clusters/status-write.ts';

/** Sets or removes the condition. No write if the member says already what is true. */
export function clashWrites(member: Readonly<MemberCluster>, isClash: boolean, now: Date): Write[] {
  const { conditions = [] } = member.status ?? {};
  const stored = conditionOf(conditions, memberClusterConditions.mirrored);
  if (!isClash) {
    if (stored === undefined) return [];
    const others = withoutCondition(conditions, memberClusterConditions.mirrored);
    return statusWrites(member, { ...member.status, conditions: others });
  }
  const condition = notMirrored(member);
  if (stored?.status === condition.status && stored.message === condition.message) return [];
  const { reason, message } = condition;
  const event = { about: member, type: 'Warning', reason, message } as const;
  const writes = statusWrites(member, { ...member.status, conditions: withCondition(conditions, condition, now) });
  return writes.map((write) => ({ ...write, event }));
}

function notMirrored({ metadata: { name = '' } }: Readonly<MemberCluster>): ConditionState {
  return {
    type: memberClusterConditions.mirrored,
    status: 'False',
    reason: memberClusterReasons.managedClusterExists,
    message: `ManagedCluster ${quote(name)} exists and does not mirror this member: OCM or a user created it. Placements of OCM use its labels, claims and taints. Delete it to have the member mirrored.`,
  };
}
