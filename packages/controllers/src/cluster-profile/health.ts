import {
  agentConditions,
  clusterProfileConditions,
  clusterProfileReasons,
  conditionOf,
  type ConditionState,
  type AgentStatus,
  type MemberCluster,
} from '@flotilla/api';
import { lastHeartbeatOf, memberAgentOf } from '../clusters/last-heartbeat.ts';

export interface HealthSettings {
  /** A cluster is unhealthy after this long without a heartbeat. */
  readonly unhealthyAfterMs: number;
  /** Start of this hub process. Time before it does not count against members. */
  readonly listeningSince: Date;
}

export interface Health {
  readonly condition: ConditionState;
  /** When the condition changes if no heartbeat comes. */
  readonly lostAt?: number;
}

/** The health of a member's control plane, as its agent reports it. */
export function healthOf(cluster: MemberCluster, generation: number, settings: HealthSettings, now: Date): Health {
  const condition = (status: ConditionState['status'], reason: string, message: string): ConditionState => ({
    type: clusterProfileConditions.controlPlaneHealthy,
    status,
    reason,
    message,
    observedGeneration: generation,
  });
  const reasons = clusterProfileReasons;
  const agent = memberAgentOf(cluster);
  if (agent === undefined) {
    return {
      condition: condition('Unknown', reasons.noStatus, 'The Fleet member agent has not reported its status yet'),
    };
  }
  const healthy = conditionOf(agent.conditions, agentConditions.healthy);
  if (healthy === undefined) {
    const message = 'The Fleet member agent has reported its status, but the health condition is missing';
    return { condition: condition('Unknown', reasons.noHealth, message) };
  }
  const lostAt = heartbeatLostAt(cluster, agent, settings, now);
  if (now.getTime() > lostAt) {
    const message = 'The Fleet member agent has lost its heartbeat connection to the Fleet hub cluster';
    return { condition: condition('False', reasons.heartbeatLost, message) };
  }
  switch (healthy.status) {
    case 'Unknown': {
      const message = 'The Fleet member agent health check result is out of date or unknown';
      return { condition: condition('Unknown', reasons.noHealth, message), lostAt };
    }
    case 'False': {
      const message = 'The Fleet member agent reports that the API server is unhealthy';
      return { condition: condition('False', reasons.unhealthy, message), lostAt };
    }
    case 'True': {
      const message = 'The Fleet member agent reports that the API server is healthy';
      return { condition: condition('True', reasons.healthy, message), lostAt };
    }
  }
}

/** In periods. Heartbeats have a resolution of a second and a jitter of 5 %, so one period would be too strict. */
const latestHeartbeat = 1.5;

function heartbeatLostAt({ spec }: MemberCluster, agent: AgentStatus, settings: HealthSettings, now: Date): number {
  const { unhealthyAfterMs, listeningSince } = settings;
  const lastHeartbeat = lastHeartbeatOf(agent, listeningSince, now);
  if (lastHeartbeat === undefined) return -Infinity;
  return lastHeartbeat + Math.max(unhealthyAfterMs, spec.heartbeatPeriodSeconds * 1000 * latestHeartbeat);
}
