/** What a MemberCluster's status says of its member. What the member reports is untrusted: it cannot speak for the hub. */
import {
  agentTypes,
  type Condition,
  type ConditionState,
  type InternalMemberCluster,
  type MemberCluster,
  memberClusterConditions,
  memberClusterReasons,
  type MemberClusterStatus,
  withCondition,
  withDatedCondition,
} from '@flotilla/api';
import { joinedOf, type Joined } from './joined.ts';

/** Conditions are never taken away from a member, so it must not be able to add them without end. */
const maxConditions = 64;

const decidedHere: ReadonlySet<string> = new Set([memberClusterConditions.readyToJoin, memberClusterConditions.joined]);

export function expectedAgents(hasNetworkingAgents: boolean): ReadonlySet<string> {
  const { member, multiClusterService, serviceExportImport } = agentTypes;
  return new Set(hasNetworkingAgents ? [member, multiClusterService, serviceExportImport] : [member]);
}

/** The status with what the member has reported. `ready`: the hub's part is done; who has left needs it done again. */
export function mirroredStatus(
  cluster: MemberCluster,
  reported: InternalMemberCluster,
  expected: ReadonlySet<string>,
  now: Date,
  ready: readonly ConditionState[] = [],
): MemberClusterStatus {
  const { name = '', generation = 0 } = cluster.metadata;
  const { agentStatus: known = [], conditions: before = [] } = cluster.status ?? {};
  const { agentStatus: agents = [], conditions = [], resourceUsage = {}, ...said } = reported.status ?? {};
  const agentStatus = agents.length === 0 ? known : agents.map((agent) => observed(agent, generation));
  const joined = joinedOf(name, agentStatus, expected);
  const decided = [...(joined.status === 'False' ? [] : ready), ...joinedConditions(joined, generation)];
  const own = decided.reduce((all, condition) => withCondition(all, condition, now), before);
  return {
    conditions: withReported(own, conditions, generation),
    ...(agentStatus.length > 0 && { agentStatus }),
    resourceUsage,
    ...(said.namespaces && { namespaces: said.namespaces }),
    ...(said.properties && { properties: said.properties }),
  };
}

/** What an agent says, said of the generation that the MemberCluster has now. */
function observed<T extends { conditions?: Condition[] }>(agent: T, observedGeneration: number): T {
  const { conditions } = agent;
  return conditions ? { ...agent, conditions: conditions.map((one) => ({ ...one, observedGeneration })) } : agent;
}

function withReported(
  conditions: Condition[],
  reported: readonly Condition[],
  observedGeneration: number,
): Condition[] {
  return reported
    .filter(({ type }) => !decidedHere.has(type))
    .reduce((all, condition) => {
      const next = withDatedCondition(all, { ...condition, observedGeneration });
      return next.length > Math.max(all.length, maxConditions) ? all : next;
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

/** `why` is a sentence, where there is something that a user can mend. */
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
