/** The status of a MemberCluster, from the untrusted report of its member. A member cannot set conditions of the hub. */
import {
  agentTypes,
  type Condition,
  type ConditionState,
  type InternalMemberCluster,
  type MemberCluster,
  memberClusterConditions,
  memberClusterReasons,
  type MemberClusterStatus,
  reportLimits,
  withCondition,
  withDatedCondition,
  withoutCondition,
} from '@flotilla/api';
import { boundedAgents, boundedConditions, boundedReport } from './bounded-report.ts';
import { joinedOf, type Joined } from './joined.ts';

/** By this stage, or by managed-clusters. */
const decidedHere: ReadonlySet<string> = new Set([
  memberClusterConditions.readyToJoin,
  memberClusterConditions.joined,
  memberClusterConditions.statusTrimmed,
  memberClusterConditions.mirrored,
]);

export function expectedAgents(hasNetworkingAgents: boolean): ReadonlySet<string> {
  const { member, multiClusterService, serviceExportImport } = agentTypes;
  return new Set(hasNetworkingAgents ? [member, multiClusterService, serviceExportImport] : [member]);
}

/**
 * The status with what the member has reported, within the hub's limits. `ready` are conditions to set once the hub's objects
 * exist; a member that has left does not get them.
 */
export function mirroredStatus(
  cluster: MemberCluster,
  reported: InternalMemberCluster,
  expected: ReadonlySet<string>,
  now: Date,
  ready: readonly ConditionState[] = [],
): MemberClusterStatus {
  const { name = '', generation = 0 } = cluster.metadata;
  const { agentStatus: known = [], conditions: stored = [] } = cluster.status ?? {};
  const { status, cuts } = boundedReport(reported.status);
  const { agentStatus: agents = [], conditions = [], resourceUsage = {}, ...rest } = status;
  const agentStatus = agents.length === 0 ? boundedAgents(known) : agents.map((agent) => observed(agent, generation));
  const joined = joinedOf(name, agentStatus, expected);
  const decided = [
    ...(joined.status === 'False' ? [] : ready),
    ...joinedConditions(joined, generation),
    ...(cuts.length > 0 ? [statusTrimmed(generation, cuts)] : []),
  ];
  // Applies the limits also to what an older release stored.
  const before = boundedConditions(stored, reportLimits.conditions);
  const others = cuts.length > 0 ? before : withoutCondition(before, memberClusterConditions.statusTrimmed);
  const own = decided.reduce((all, condition) => withCondition(all, condition, now), others);
  return {
    conditions: withReported(own, conditions, generation),
    ...(agentStatus.length > 0 && { agentStatus }),
    resourceUsage,
    ...(rest.namespaces && { namespaces: rest.namespaces }),
    ...(rest.properties && { properties: rest.properties }),
  };
}

/** An agent's conditions, with the MemberCluster's own generation. */
function observed<T extends { conditions?: Condition[] }>(agent: T, observedGeneration: number): T {
  const { conditions } = agent;
  return conditions ? { ...agent, conditions: conditions.map((one) => ({ ...one, observedGeneration })) } : agent;
}

/** Keeps conditions that the member no longer reports, so their number is limited. */
function withReported(
  conditions: Condition[],
  reported: readonly Condition[],
  observedGeneration: number,
): Condition[] {
  return reported
    .filter(({ type }) => !decidedHere.has(type))
    .reduce((all, condition) => {
      const next = withDatedCondition(all, { ...condition, observedGeneration });
      return next.length > Math.max(all.length, reportLimits.conditions) ? all : next;
    }, conditions);
}

export function readyToJoin(observedGeneration: number): ConditionState {
  return {
    type: memberClusterConditions.readyToJoin,
    status: 'True',
    reason: memberClusterReasons.readyToJoin,
    message: 'Member cluster is ready to join the fleet',
    observedGeneration,
  };
}

/** `why` is a sentence about something that a user can fix. */
export function notReadyToJoin(observedGeneration: number, why?: string): ConditionState {
  const message = 'Member cluster is not ready to join the fleet';
  return {
    type: memberClusterConditions.readyToJoin,
    status: 'False',
    reason: memberClusterReasons.notReadyToJoin,
    message: why === undefined ? message : `${message}: ${why}`,
    observedGeneration,
  };
}

function statusTrimmed(observedGeneration: number, cuts: readonly string[]): ConditionState {
  return {
    type: memberClusterConditions.statusTrimmed,
    status: 'True',
    reason: memberClusterReasons.oversized,
    message: `The member reports more than the hub keeps. Left out: ${cuts.join(', ')}`,
    observedGeneration,
  };
}

function joinedConditions(joined: Joined, observedGeneration: number): ConditionState[] {
  const { joined: type } = memberClusterConditions;
  switch (joined.status) {
    case 'True': {
      const message = 'Member cluster has successfully joined the fleet';
      return [{ type, status: 'True', reason: memberClusterReasons.joined, message, observedGeneration }];
    }
    case 'False': {
      const message = 'Member cluster has left the fleet';
      const left: ConditionState = {
        type,
        status: 'False',
        reason: memberClusterReasons.left,
        message,
        observedGeneration,
      };
      return [left, notReadyToJoin(observedGeneration)];
    }
    case 'Unknown': {
      const { message } = joined;
      return [{ type, status: 'Unknown', reason: memberClusterReasons.joinStateUnknown, message, observedGeneration }];
    }
  }
}
