import {
  conditionOf,
  type MemberCluster,
  memberClusterConditions,
  memberClusterReasons,
  type MemberClusterStatus,
} from '@flotilla/api';
import type { PlannedEvent } from '@flotilla/runtime';

type Told = Pick<PlannedEvent, 'type' | 'reason' | 'message'>;

/** By condition and the status that it changed to. That a member which left has “joined” is KubeFleet's word for it. */
const told: Readonly<Record<string, Readonly<Record<string, Told>>>> = {
  [memberClusterConditions.readyToJoin]: {
    True: { type: 'Normal', reason: memberClusterReasons.readyToJoin, message: 'member cluster ready to join' },
  },
  [memberClusterConditions.joined]: {
    True: { type: 'Normal', reason: memberClusterReasons.joined, message: 'member cluster joined' },
    False: { type: 'Normal', reason: memberClusterReasons.joined, message: 'member cluster left' },
    Unknown: {
      type: 'Warning',
      reason: memberClusterReasons.joinStateUnknown,
      message: 'member cluster join state unknown',
    },
  },
};

/** What people are told when a member's status becomes another one. */
export function transitionEvents(about: MemberCluster, after: MemberClusterStatus): PlannedEvent[] {
  return Object.entries(told).flatMap(([type, byStatus]) => {
    const status = conditionOf(after.conditions, type)?.status;
    if (status === undefined || status === conditionOf(about.status?.conditions, type)?.status) return [];
    const event = byStatus[status];
    return event ? [{ about, ...event }] : [];
  });
}
