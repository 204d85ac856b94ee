import {
  agentConditions,
  conditionOf,
  managedClusterConditions,
  managedClusterReasons,
  type ConditionState,
  type ManagedCluster,
  type MemberCluster,
} from '@flotilla/api';
import { lastHeartbeatOf, memberAgentOf } from '../../clusters/last-heartbeat.ts';
import { graceMs } from '../grace.ts';

export interface AvailabilitySettings {
  /** Start of this hub process. Time before it does not count against members. */
  readonly listeningSince: Date;
}

export interface Availability {
  readonly condition: ConditionState;
  /** When the condition changes if no heartbeat comes. */
  readonly lostAt?: number;
}

const reasons = managedClusterReasons;

/** The availability of a mirror, from the heartbeats of its member. */
export function availabilityOf(
  member: Readonly<MemberCluster>,
  managed: Readonly<ManagedCluster> | undefined,
  { listeningSince }: AvailabilitySettings,
  now: Date,
): Availability {
  const agent = memberAgentOf(member);
  const healthy = conditionOf(agent?.conditions, agentConditions.healthy)?.status ?? 'Unknown';
  // A member that was lost before this process began stays lost until it reports.
  const before = conditionOf(managed?.status?.conditions, managedClusterConditions.available)?.status;
  const since = before === 'Unknown' ? new Date(0) : listeningSince;
  const lastHeartbeat = agent && lastHeartbeatOf(agent, since, now);
  const lostAt = lastHeartbeat === undefined ? -Infinity : lastHeartbeat + graceMs(member.spec.heartbeatPeriodSeconds);
  if (now.getTime() > lostAt) {
    return { condition: available('Unknown', reasons.leaseStopped, 'The member agent stopped sending heartbeats.') };
  }
  switch (healthy) {
    case 'True':
      return { condition: available('True', reasons.available, 'Managed cluster is available'), lostAt };
    case 'False': {
      const message = 'The member agent reports that the API server of the cluster is not healthy.';
      return { condition: available('False', reasons.serverUnavailable, message), lostAt };
    }
    case 'Unknown': {
      const message = 'The member agent does not know whether the API server of the cluster is healthy.';
      return { condition: available('Unknown', reasons.serverUnavailable, message), lostAt };
    }
  }
}

function available(status: ConditionState['status'], reason: string, message: string): ConditionState {
  return { type: managedClusterConditions.available, status, reason, message };
}
