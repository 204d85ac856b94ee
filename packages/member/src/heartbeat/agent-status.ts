/** The agent's status in the InternalMemberCluster. Other agents of the member have entries in it too. */
import {
  abandoningAgentMessage,
  agentConditions,
  agentReasons,
  type AgentStatus,
  agentTypes,
  type Condition,
  conditionOf,
  type InternalMemberCluster,
  type InternalMemberClusterStatus,
} from '@flotilla/api';
import { jsonEquals, wireTime, type JsonValue } from '@flotilla/kube';
import type { PlannedEvent } from '@flotilla/runtime';
import { withBoundedCondition } from '../bounded-condition.ts';
import type { PropertyReport, ReportedCondition } from '../properties/property-collector.ts';

export interface Findings {
  /** Undefined: healthy. */
  readonly unhealthy: string | undefined;
  readonly properties: PropertyReport;
}

/** A status to write, and the events and the transition to record once it is written. */
export interface StatusUpdate {
  readonly status: InternalMemberClusterStatus;
  readonly events: readonly PlannedEvent[];
  /** Set if the status is the first with which the member has joined, or has left. */
  readonly transition?: 'joined' | 'left';
}

/** A heartbeat of a joined member. */
export function joinedUpdate(member: InternalMemberCluster, findings: Findings, now: Date): StatusUpdate {
  const { unhealthy, properties } = findings;
  const own = ownStatus(member);
  const health = healthCondition(unhealthy);
  const joined = {
    type: agentConditions.joined,
    status: 'True',
    reason: agentReasons.joined,
    message: abandoningAgentMessage,
  } as const;
  const isNew = isNewCondition(own, joined, member);
  const reported = withProperties(member, properties, now);
  return {
    status: withOwnStatus(
      { ...member.status, ...reported.status },
      { ...withConditions(own, [health, joined], member, now), lastReceivedHeartbeat: wireTime(now) },
    ),
    events: [
      ...(conditionOf(own.conditions, health.type)?.status === health.status ? [] : [healthEvent(member, unhealthy)]),
      ...reported.events,
      ...(isNew ? [eventOf(member, agentReasons.joined, 'internal member cluster joined')] : []),
    ],
    ...(isNew && { transition: 'joined' as const }),
  };
}

/** Whether a status has nothing new for the hub but times of observation. */
export function isSameReport(now: InternalMemberClusterStatus, old: InternalMemberClusterStatus | undefined): boolean {
  return old !== undefined && jsonEquals(withoutTimes(now), withoutTimes(old));
}

function withoutTimes(status: InternalMemberClusterStatus): JsonValue {
  const { agentStatus = [], properties = {}, resourceUsage = {}, ...rest } = status;
  const values = Object.entries(properties).map(([name, { value }]) => [name, value] as const);
  const agents = agentStatus.map(({ lastReceivedHeartbeat: _at, ...agent }) => agent);
  const { observationTime: _at, ...resources } = resourceUsage;
  return { ...rest, agents, values: Object.fromEntries(values), resources };
}

/** How long ago the agent sent its last heartbeat, in milliseconds; undefined if it has sent none. */
export function heartbeatAge(member: InternalMemberCluster, now: Date): number | undefined {
  const { lastReceivedHeartbeat } = ownStatus(member);
  return lastReceivedHeartbeat === undefined ? undefined : now.getTime() - Date.parse(lastReceivedHeartbeat);
}

export function failedToJoinUpdate(member: InternalMemberCluster, problem: string, now: Date): StatusUpdate {
  const own = ownStatus(member);
  const condition = unknown(agentReasons.failedToJoin, problem);
  const isNew = isNewCondition(own, condition, member);
  return {
    status: withOwnStatus(member.status, withConditions(own, [condition], member, now)),
    events: isNew ? [eventOf(member, agentReasons.failedToJoin, 'internal member cluster failed to join')] : [],
  };
}

/** Leaves heartbeat and health as they are, because the hub ignores them after a leave. */
export function leftUpdate(member: InternalMemberCluster, now: Date): StatusUpdate {
  const own = ownStatus(member);
  const left = { type: agentConditions.joined, status: 'False', reason: agentReasons.left, message: '' } as const;
  const isNew = isNewCondition(own, left, member);
  return {
    status: withOwnStatus(member.status, withConditions(own, [left], member, now)),
    events: isNew ? [eventOf(member, agentReasons.left, 'internal member cluster left')] : [],
    ...(isNew && { transition: 'left' as const }),
  };
}

export function failedToLeaveUpdate(member: InternalMemberCluster, problem: string, now: Date): StatusUpdate {
  const own = ownStatus(member);
  const joined = conditionOf(own.conditions, agentConditions.joined);
  const { generation = 0 } = member.metadata;
  const isStillTrue = joined?.status === 'True' && (joined.observedGeneration ?? 0) === generation;
  const condition = unknown(agentReasons.failedToLeave, problem);
  return {
    status: withOwnStatus(member.status, withConditions(own, [condition], member, now)),
    events: isStillTrue ? [] : [eventOf(member, agentReasons.failedToLeave, 'internal member cluster failed to leave')],
  };
}

type AgentCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

function unknown(reason: string, message: string): AgentCondition {
  return { type: agentConditions.joined, status: 'Unknown', reason, message };
}

function healthCondition(unhealthy: string | undefined): AgentCondition {
  const type = agentConditions.healthy;
  if (unhealthy === undefined) return { type, status: 'True', reason: agentReasons.healthy, message: '' };
  return { type, status: 'False', reason: agentReasons.unhealthy, message: unhealthy };
}

function healthEvent(member: InternalMemberCluster, unhealthy: string | undefined): PlannedEvent {
  return unhealthy === undefined
    ? eventOf(member, agentReasons.healthy, 'internal member cluster healthy')
    : eventOf(member, agentReasons.unhealthy, 'internal member cluster unhealthy', 'Warning');
}

/** Whether the condition is added, changes its status, or is about a new generation. */
function isNewCondition(own: AgentStatus, { type, status }: AgentCondition, member: InternalMemberCluster): boolean {
  const old = conditionOf(own.conditions, type);
  return old?.status !== status || (old.observedGeneration ?? 0) !== (member.metadata.generation ?? 0);
}

function ownStatus({ status }: InternalMemberCluster): AgentStatus {
  return status?.agentStatus?.find(({ type }) => type === agentTypes.member) ?? { type: agentTypes.member };
}

function withOwnStatus(status: InternalMemberClusterStatus | undefined, own: AgentStatus): InternalMemberClusterStatus {
  const all = status?.agentStatus ?? [];
  const isKnown = all.some(({ type }) => type === own.type);
  const agentStatus = isKnown ? all.map((each) => (each.type === own.type ? own : each)) : [...all, own];
  return { ...status, agentStatus };
}

function withConditions(
  own: AgentStatus,
  added: readonly AgentCondition[],
  { metadata: { generation: observedGeneration = 0 } }: InternalMemberCluster,
  now: Date,
): AgentStatus {
  const time = wireTime(now);
  const conditions = added.reduce<Condition[]>(
    (all, condition) => withBoundedCondition(all, { ...condition, observedGeneration }, time),
    [...(own.conditions ?? [])],
  );
  return { ...own, conditions };
}

interface ReportedProperties {
  readonly status: Partial<InternalMemberClusterStatus>;
  readonly events: readonly PlannedEvent[];
}

function withProperties(member: InternalMemberCluster, report: PropertyReport, now: Date): ReportedProperties {
  const { collected, conditions: own } = report;
  const reported: readonly ReportedCondition[] = [...own, ...(collected?.conditions ?? [])];
  const observedGeneration = member.metadata.generation ?? 0;
  const old = member.status?.conditions ?? [];
  const conditions = reported.reduce<Condition[]>(
    (all, { type, status, reason, message }) =>
      withBoundedCondition(all, { type, status, reason, message, observedGeneration }, wireTime(now)),
    [...old],
  );
  return {
    status: {
      ...(conditions.length > 0 && { conditions }),
      ...(collected && { properties: collected.properties, resourceUsage: collected.resources }),
      ...(collected?.namespaces && { namespaces: collected.namespaces }),
    },
    events: reported.flatMap(({ type, reason, message, event }) => {
      const before = conditionOf(old, type);
      const isKnown = before?.reason === reason && before.message === message;
      return event === undefined || isKnown ? [] : [eventOf(member, reason, message, event)];
    }),
  };
}

function eventOf(
  about: InternalMemberCluster,
  reason: string,
  message: string,
  type: PlannedEvent['type'] = 'Normal',
): PlannedEvent {
  return { about, type, reason, message };
}
