import {
  agentConditions,
  agentTypes,
  clusterProfileConditions,
  clusterProfileReasons,
  conditionOf,
  type ConditionState,
  type MemberCluster,
} from '@flotilla/api';

export interface HealthSettings {
  /** After how long without a heartbeat a cluster counts as unhealthy. */
  readonly unhealthyAfterMs: number;
  /** Since when heartbeats are received here: a hub that was away cannot say that members were silent. */
  readonly listeningSince: Date;
}

export interface Health {
  readonly condition: ConditionState;
  /** When it changes if nothing more is heard. */
  readonly lostAt?: number;
}

/** How a member's control plane is, as far as its agent says. */
export function healthOf(cluster: MemberCluster, generation: number, settings: HealthSettings, now: Date): Health {
  const say = (status: ConditionState['status'], reason: string, message: string): ConditionState => ({
    type: clusterProfileConditions.controlPlaneHealthy,
    status,
    reason,
    message,
    observedGeneration: generation,
  });
  const reasons = clusterProfileReasons;
  const agent = cluster.status?.agentStatus?.find(({ type }) => type === agentTypes.member);
  if (agent === undefined) {
    return { condition: say('Unknown', reasons.noStatus, 'The Fleet member agent has not reported its status yet') };
  }
  const healthy = conditionOf(agent.conditions, agentConditions.healthy);
  if (healthy === undefined) {
    const message = 'The Fleet member agent has reported its status, but the health condition is missing';
    return { condition: say('Unknown', reasons.noHealth, message) };
  }
  const lostAt = lostMoment(cluster, agent.lastReceivedHeartbeat ?? '', settings, now);
  if (now.getTime() > lostAt) {
    const message = 'The Fleet member agent has lost its heartbeat connection to the Fleet hub cluster';
    return { condition: say('False', reasons.heartbeatLost, message) };
  }
  switch (healthy.status) {
    case 'Unknown': {
      const message = 'The Fleet member agent health check result is out of date or unknown';
      return { condition: say('Unknown', reasons.noHealth, message), lostAt };
    }
    case 'False': {
      const message = 'The Fleet member agent reports that the API server is unhealthy';
      return { condition: say('False', reasons.unhealthy, message), lostAt };
    }
    case 'True': {
      const message = 'The Fleet member agent reports that the API server is healthy';
      return { condition: say('True', reasons.healthy, message), lostAt };
    }
  }
}

/** A period is kept to the second only, and the next heartbeat may be late by a twentieth of it: that is no silence yet. */
const latestHeartbeat = 1.5;

/** Clocks of members may be wrong, and members may lie: what is to come has not been heard yet. */
function lostMoment({ spec }: MemberCluster, heartbeat: string, settings: HealthSettings, now: Date): number {
  const { unhealthyAfterMs, listeningSince } = settings;
  const saidAt = Date.parse(heartbeat);
  if (Number.isNaN(saidAt)) return -Infinity;
  const lastHeard = Math.min(Math.max(saidAt, listeningSince.getTime()), now.getTime());
  return lastHeard + Math.max(unhealthyAfterMs, spec.heartbeatPeriodSeconds * 1000 * latestHeartbeat);
}
