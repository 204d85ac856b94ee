import {
  conditionOf,
  type MemberCluster,
  memberClusterConditions,
  memberClusterReasons,
  type MemberClusterStatus,
} from '@flotilla/api';
import type { PlannedEvent } from '@flotilla/runtime';

type TransitionEvent = Pick<PlannedEvent, 'type' | 'reason' | 'message'>;

/** By condition and its new status. KubeFleet uses the reason of joining also for leaving. */
const eventsByCondition: Readonly<Record<string, Readonly<Record<string, TransitionEvent>>>> = {
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

/** The events for the conditions that a new status changes. */
export function transitionEvents(about: MemberCluster, after: MemberClusterStatus): PlannedEvent[] {
  return Object.entries(eventsByCondition).flatMap(([type, byStatus]) => {
    const status = conditionOf(after.conditions, type)?.status;
    if (status === undefined || status === conditionOf(about.status?.conditions, type)?.status) return [];
    const event = byStatus[status];
    return event ? [{ about, ...event }] : [];
  });
}
