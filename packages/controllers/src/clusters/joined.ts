import { agentConditions, type AgentStatus, type Condition } from '@flotilla/api';

/** The join state that the agents of a member report together. */
export type Joined = { readonly status: 'True' | 'False' } | { readonly status: 'Unknown'; readonly message: string };

/** A member has joined, or left, when all expected agents report it. Other agents are ignored. */
export function joinedOf(name: string, agents: readonly AgentStatus[], expected: ReadonlySet<string>): Joined {
  if (agents.length < expected.size) return notAll(name, expected.size, agents.length);
  const reported = new Set<string>();
  const statuses = new Set<Condition['status']>();
  for (const { type, conditions = [] } of agents) {
    if (!expected.has(type)) continue;
    const joined = conditions.find((condition) => condition.type === agentConditions.joined);
    if (joined === undefined) {
      return unknown(`Member cluster ${name} has not reported the join condition for agent ${type}`);
    }
    reported.add(type);
    statuses.add(joined.status);
  }
  if (reported.size < expected.size) return notAll(name, expected.size, reported.size);
  const [status] = statuses;
  if (statuses.size > 1 || status === 'Unknown' || status === undefined) {
    return unknown('Member agents are not in a consistent state');
  }
  return { status };
}

function notAll(name: string, expected: number, got: number): Joined {
  return unknown(`Member cluster ${name} has not reported all the expected agents, expected ${expected}, got ${got}`);
}

function unknown(message: string): Joined {
  return { status: 'Unknown', message };
}
