/** Cuts the report of a member, which may have any size, to the hub's limits. */
import {
  type AgentStatus,
  type Condition,
  type InternalMemberClusterStatus,
  propertyNames,
  type PropertyValue,
  reportLimits as limits,
  type ResourceUsage,
} from '@flotilla/api';
import { jsonTextSize } from '@flotilla/kube';
import { cutText, fits } from '../bounded-text.ts';

export interface BoundedReport {
  readonly status: InternalMemberClusterStatus;
  /** For users: `29000 of 30000 properties`. */
  readonly cuts: readonly string[];
}

/** Returns parts within the limits as they are, not as copies. */
export function boundedReport(reported: InternalMemberClusterStatus | undefined): BoundedReport {
  const { properties, namespaces, resourceUsage, agentStatus, conditions } = reported ?? {};
  const cuts: string[] = [];
  const status: InternalMemberClusterStatus = {
    ...(properties && { properties: boundedProperties(properties, cuts) }),
    ...(namespaces && { namespaces: boundedNamespaces(namespaces, cuts) }),
    ...(resourceUsage && { resourceUsage: boundedUsage(resourceUsage, cuts) }),
    ...(agentStatus && { agentStatus: boundedAgents(agentStatus, cuts) }),
    ...(conditions && { conditions: boundedConditions(conditions, limits.conditions, 'conditions', cuts) }),
  };
  return { status, cuts };
}

export function boundedAgents(agents: AgentStatus[], cuts: string[] = []): AgentStatus[] {
  const kept = first(agents, limits.agents, 'agents', cuts, (agent) => {
    const { type, lastReceivedHeartbeat = '' } = agent;
    return fits(type, limits.nameBytes) && fits(lastReceivedHeartbeat, limits.amountBytes);
  });
  return mapped(kept, (agent) => {
    const { conditions } = agent;
    if (conditions === undefined) return agent;
    const what = `conditions of agent ${agent.type}`;
    const bounded = boundedConditions(conditions, limits.agentConditions, what, cuts);
    return bounded === conditions ? agent : { ...agent, conditions: bounded };
  });
}

export function boundedConditions(
  conditions: Condition[],
  max: number,
  what = 'conditions',
  cuts: string[] = [],
): Condition[] {
  const kept = first(conditions, max, what, cuts, ({ type, reason, lastTransitionTime }) => {
    return fits(type + reason, limits.conditionBytes) && fits(lastTransitionTime, limits.amountBytes);
  });
  let isCut = false;
  const bounded = mapped(kept, (condition) => {
    const message = cutText(condition.message, limits.messageBytes);
    isCut ||= message !== condition.message;
    return message === condition.message ? condition : { ...condition, message };
  });
  if (isCut) cuts.push(`the ends of messages in ${what}`);
  return bounded;
}

type Properties = Record<string, PropertyValue>;

function boundedProperties(properties: Properties, cuts: string[]): Properties {
  let bytesLeft = limits.propertiesBytes;
  return bounded(properties, limits.properties, 'properties', cuts, (name, { value, observationTime }) => {
    const isAuthority = name === propertyNames.certificateAuthorityData;
    if (!fits(value, isAuthority ? limits.authorityBytes : limits.valueBytes)) return false;
    if (!fits(observationTime, limits.amountBytes)) return false;
    bytesLeft -= jsonTextSize(name) + jsonTextSize(value);
    return bytesLeft >= 0;
  });
}

function boundedNamespaces(namespaces: Record<string, string>, cuts: string[]): Record<string, string> {
  return bounded(namespaces, limits.namespaces, 'namespaces', cuts, (_name, work) => fits(work, limits.nameBytes));
}

function boundedUsage(usage: ResourceUsage, cuts: string[]): ResourceUsage {
  const { capacity, allocatable, available, observationTime = '' } = usage;
  const amounts = (map: NonNullable<ResourceUsage['capacity']>, what: string) =>
    bounded(map, limits.resources, what, cuts, (_name, amount) => fits(String(amount), limits.amountBytes));
  return {
    ...(capacity && { capacity: amounts(capacity, 'resources in capacity') }),
    ...(allocatable && { allocatable: amounts(allocatable, 'resources in allocatable') }),
    ...(available && { available: amounts(available, 'resources in available') }),
    ...(observationTime !== '' && fits(observationTime, limits.amountBytes) && { observationTime }),
  };
}

/** The entries within the limits, in their order; the map itself if that is all of them. */
function bounded<T>(
  map: Record<string, T>,
  max: number,
  what: string,
  cuts: string[],
  mayKeep: (name: string, value: T) => boolean,
): Record<string, T> {
  const entries = Object.entries(map);
  const kept = first(entries, max, what, cuts, ([name, value]) => fits(name, limits.nameBytes) && mayKeep(name, value));
  return kept === entries ? map : Object.fromEntries(kept);
}

/** The first `max` elements that may be kept; the list itself if that is all of them. Stops at the limit. */
function first<T>(list: T[], max: number, what: string, cuts: string[], mayKeep: (one: T) => boolean): T[] {
  const kept: T[] = [];
  for (const one of list) {
    if (kept.length === max) break;
    if (mayKeep(one)) kept.push(one);
  }
  if (kept.length === list.length) return list;
  cuts.push(`${list.length - kept.length} of ${list.length} ${what}`);
  return kept;
}

function mapped<T>(list: T[], change: (one: T) => T): T[] {
  let isChanged = false;
  const changed = list.map((one) => {
    const next = change(one);
    isChanged ||= next !== one;
    return next;
  });
  return isChanged ? changed : list;
}
