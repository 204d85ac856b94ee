/** Whether a cluster can get resources at all: it is a member, connected and healthy. */
import { agentConditions, agentTypes, conditionOf, type MemberCluster } from '@flotilla/api';

export interface EligibilityTimeouts {
  /** After this long without a heartbeat a cluster is not connected. */
  readonly heartbeatTimeoutMs: number;
  /** A cluster may be unhealthy for this long. */
  readonly healthTimeoutMs: number;
}

export const defaultTimeouts: EligibilityTimeouts = { heartbeatTimeoutMs: 300_000, healthTimeoutMs: 300_000 };

/** What the member's agent reports, with times in milliseconds since the epoch. */
export type AgentHealth =
  | { readonly agent: 'left' | 'offline' }
  | {
      readonly agent: 'online';
      readonly heartbeatAt: number;
      readonly isJoined: boolean;
      /** Undefined if the agent has not reported it. */
      readonly isHealthy: boolean | undefined;
      readonly healthChangedAt: number;
    };

/** Which check failed. */
export type Ineligibility = 'left' | 'offline' | 'silent' | 'not joined' | 'health unknown' | 'unhealthy';

export function healthOf({ metadata, status }: Readonly<MemberCluster>): AgentHealth {
  if (metadata.deletionTimestamp !== undefined) return { agent: 'left' };
  const agent = status?.agentStatus?.find(({ type }) => type === agentTypes.member);
  if (agent === undefined) return { agent: 'offline' };
  const healthy = conditionOf(agent.conditions, agentConditions.healthy);
  return {
    agent: 'online',
    heartbeatAt: timeIn(agent.lastReceivedHeartbeat),
    isJoined: conditionOf(agent.conditions, agentConditions.joined)?.status === 'True',
    isHealthy: healthy && healthy.status === 'True',
    healthChangedAt: timeIn(healthy?.lastTransitionTime),
  };
}

/** Undefined if the cluster is eligible. The order of the checks is KubeFleet's: the first failure is reported. */
export function ineligibility(
  health: AgentHealth,
  { heartbeatTimeoutMs, healthTimeoutMs }: EligibilityTimeouts,
  now: number,
): Ineligibility | undefined {
  if (health.agent !== 'online') return health.agent;
  if (now - health.heartbeatAt > heartbeatTimeoutMs) return 'silent';
  if (!health.isJoined) return 'not joined';
  if (health.isHealthy === undefined) return 'health unknown';
  if (!health.isHealthy && now - health.healthChangedAt > healthTimeoutMs) return 'unhealthy';
  return undefined;
}

/** The first moment at which an eligible cluster is no longer eligible, if its agent reports nothing more. */
export function ineligibleFrom(
  health: AgentHealth,
  { heartbeatTimeoutMs, healthTimeoutMs }: EligibilityTimeouts,
): number {
  if (health.agent !== 'online') return -Infinity;
  const silentFrom = health.heartbeatAt + heartbeatTimeoutMs + 1;
  return health.isHealthy === true ? silentFrom : Math.min(silentFrom, health.healthChangedAt + healthTimeoutMs + 1);
}

/** KubeFleet's sentence. */
export function ineligibilityText(problem: Ineligibility, health: AgentHealth, now: number): string {
  const unconnected = 'cluster is not connected to the fleet';
  switch (problem) {
    case 'left':
      return 'cluster has left the fleet';
    case 'offline':
      return `${unconnected}: member agent not online yet`;
    case 'silent': {
      const since = health.agent === 'online' ? health.heartbeatAt : -Infinity;
      return `${unconnected}: no recent heartbeat signals (last received ${minutesSince(since, now)} minutes ago)`;
    }
    case 'not joined':
      return `${unconnected}: member agent not joined yet`;
    case 'health unknown':
      return `${unconnected}: health condition from member agent is not available`;
    case 'unhealthy': {
      const since = health.agent === 'online' ? health.healthChangedAt : -Infinity;
      return `${unconnected}: unhealthy for a prolonged period of time (last transitioned ${minutesSince(since, now)} minutes ago)`;
    }
  }
}

/** The same for all sentences that differ only in their age. */
export function withoutAge(sentence: string): string {
  return sentence.replace(/ \d+\.\d\d minutes ago\)$/, ' minutes ago)');
}

/** Go's longest duration: what it reports for a time that was never set. */
const maxMinutes = 153_722_867.28;

function minutesSince(time: number, now: number): string {
  return Math.min((now - time) / 60_000, maxMinutes).toFixed(2);
}

function timeIn(text: string | undefined): number {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? -Infinity : time;
}
