/** What the agent says of itself in its InternalMemberCluster. Other agents of the member have entries beside ours. */
import {
  agentConditions,
  agentReasons,
  type AgentStatus,
  agentTypes,
  type Condition,
  conditionOf,
  type InternalMemberCluster,
  type InternalMemberClusterStatus,
} from '@flotilla/api';
import { wireTime } from '@flotilla/kube';
import type { PlannedEvent } from '@flotilla/runtime';
import { withBoundedCondition } from '../bounded-condition.ts';
import type { PropertyReport, ReportedCondition } from '../properties/property-collector.ts';

export interface Findings {
  /** Undefined: healthy. */
  readonly unhealthy: string | undefined;
  readonly properties: PropertyReport;
}

/** A status to write, and what to tell people and counters when it is written. */
export interface StatusUpdate {
  readonly status: InternalMemberClusterStatus;
  readonly events: readonly PlannedEvent[];
  /** Whether it says for the first time that the member has joined, or has left. */
  readonly news?: 'joined' | 'left';
}

/** A heartbeat of a member that is to be part of the fleet. */
export function joinedUpdate(member: InternalMemberCluster, findings: Findings, now: Date): StatusUpdate {
  const { unhealthy, properties } = findings;
  const own = ownStatus(member);
  const health = healthStatement(unhealthy);
  const joined = { type: agentConditions.joined, status: 'True', reason: agentReasons.joined, message: '' } as const;
  const isNews = isNewStatement(own, joined, member);
  const reported = withProperties(member, properties, now);
  return {
    status: withOwnStatus(
      { ...member.status, ...reported.status },
      { ...stating(own, [health, joined], member, now), lastReceivedHeartbeat: wireTime(now) },
    ),
    events: [
      ...(conditionOf(own.conditions, health.type)?.status === health.status ? [] : [healthEvent(member, unhealthy)]),
      ...reported.events,
      ...(isNews ? [eventOf(member, agentReasons.joined, 'internal member cluster joined')] : []),
    ],
    ...(isNews && { news: 'joined' as const }),
  };
}

export function failedToJoinUpdate(member: InternalMemberCluster, problem: string, now: Date): StatusUpdate {
  const own = ownStatus(member);
  const statement = unknown(agentReasons.failedToJoin, problem);
  const isNews = isNewStatement(own, statement, member);
  return {
    status: withOwnStatus(member.status, stating(own, [statement], member, now)),
    events: isNews ? [eventOf(member, agentReasons.failedToJoin, 'internal member cluster failed to join')] : [],
  };
}

/** Heartbeat and health stay as they were: nobody asks for them any more. */
export function leftUpdate(member: InternalMemberCluster, now: Date): StatusUpdate {
  const own = ownStatus(member);
  const left = { type: agentConditions.joined, status: 'False', reason: agentReasons.left, message: '' } as const;
  const isNews = isNewStatement(own, left, member);
  return {
    status: withOwnStatus(member.status, stating(own, [left], member, now)),
    events: isNews ? [eventOf(member, agentReasons.left, 'internal member cluster left')] : [],
    ...(isNews && { news: 'left' as const }),
  };
}

export function failedToLeaveUpdate(member: InternalMemberCluster, problem: string, now: Date): StatusUpdate {
  const own = ownStatus(member);
  const joined = conditionOf(own.conditions, agentConditions.joined);
  const { generation = 0 } = member.metadata;
  const isStillTrue = joined?.status === 'True' && (joined.observedGeneration ?? 0) === generation;
  const statement = unknown(agentReasons.failedToLeave, problem);
  return {
    status: withOwnStatus(member.status, stating(own, [statement], member, now)),
    events: isStillTrue ? [] : [eventOf(member, agentReasons.failedToLeave, 'internal member cluster failed to leave')],
  };
}

type AgentStatement = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

function unknown(reason: string, message: string): AgentStatement {
  return { type: agentConditions.joined, status: 'Unknown', reason, message };
}

function healthStatement(unhealthy: string | undefined): AgentStatement {
  const type = agentConditions.healthy;
  if (unhealthy === undefined) return { type, status: 'True', reason: agentReasons.healthy, message: '' };
  return { type, status: 'False', reason: agentReasons.unhealthy, message: unhealthy };
}

function healthEvent(member: InternalMemberCluster, unhealthy: string | undefined): PlannedEvent {
  return unhealthy === undefined
    ? eventOf(member, agentReasons.healthy, 'internal member cluster healthy')
    : eventOf(member, agentReasons.unhealthy, 'internal member cluster unhealthy', 'Warning');
}

/** Whether a condition of ours comes, changes, or speaks of a new generation. */
function isNewStatement(own: AgentStatus, { type, status }: AgentStatement, member: InternalMemberCluster): boolean {
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

function stating(
  own: AgentStatus,
  statements: readonly AgentStatement[],
  { metadata: { generation: observedGeneration = 0 } }: InternalMemberCluster,
  now: Date,
): AgentStatus {
  const time = wireTime(now);
  const conditions = statements.reduce<Condition[]>(
    (all, statement) => withBoundedCondition(all, { ...statement, observedGeneration }, time),
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
  const statements: readonly ReportedCondition[] = [...own, ...(collected?.conditions ?? [])];
  const observedGeneration = member.metadata.generation ?? 0;
  const old = member.status?.conditions ?? [];
  const conditions = statements.reduce<Condition[]>(
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
    events: statements.flatMap(({ type, reason, message, event }) => {
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
