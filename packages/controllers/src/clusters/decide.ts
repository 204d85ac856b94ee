import {
  memberClusterFinalizer,
  memberClusters,
  type MemberClusterStatus,
  memberNameLabel,
  withCondition,
} from '@flotilla/api';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { decideLeave } from './leave.ts';
import {
  furnishInternal,
  furnishNamespace,
  furnishRole,
  furnishRoleBinding,
  withdrawn,
  type Furnishing,
} from './member-place.ts';
import type { MembershipSettings, MemberState } from './member-state.ts';
import { expectedAgents, mirroredStatus, notReadyToJoin, readyToJoin } from './mirrored-status.ts';
import { problemOf } from './problem.ts';
import { statusWrites } from './status-write.ts';
import { transitionEvents } from './transitions.ts';

/** What a member needs on the hub, and what the hub tells of it. */
export function decideMembership(state: MemberState, settings: MembershipSettings, now: Date): Plan {
  const { cluster, namespace } = state;
  if (cluster.metadata.deletionTimestamp !== undefined) return decideLeave(state, settings, now);
  const claim = claimed(state);
  // The rest is decided from the member as it is then.
  if (claim !== undefined) return { steps: [[claim]] };
  const problem = problemOf(cluster);
  if (problem !== undefined) return refused(state, problem, now);
  // Nothing can be made in it. When it is gone there will be another.
  if (namespace?.metadata.deletionTimestamp !== undefined) return nothingToDo;
  return decideJoin(state, settings, now);
}

/** Before anything is made for it: nobody may forget to clear up, and everybody may choose it by its name. */
function claimed({ cluster }: MemberState): Write | undefined {
  const { name = '', resourceVersion = '', labels = {}, finalizers = [] } = cluster.metadata;
  const isClaimed = finalizers.includes(memberClusterFinalizer);
  if (isClaimed && labels[memberNameLabel] === name) return undefined;
  const metadata = {
    resourceVersion,
    labels: { [memberNameLabel]: name },
    finalizers: isClaimed ? finalizers : [...finalizers, memberClusterFinalizer],
  };
  return { verb: 'patch', kind: memberClusters, key: { name }, patch: { metadata } };
}

/** Whom the member named before has no business here any more. */
function refused({ cluster, roleBinding }: MemberState, problem: string, now: Date): Plan {
  const condition = notReadyToJoin(cluster.metadata.generation ?? 0, problem);
  const status: MemberClusterStatus = {
    ...cluster.status,
    conditions: withCondition(cluster.status?.conditions ?? [], condition, now),
  };
  return { steps: [roleBinding ? [withdrawn(roleBinding)] : [], statusWrites(cluster, status)] };
}

function decideJoin(state: MemberState, { networkingAgents }: MembershipSettings, now: Date): Plan {
  const { cluster, internal } = state;
  const furnishings = [
    furnishNamespace(state),
    furnishRole(state, networkingAgents),
    furnishRoleBinding(state),
    furnishInternal(state, 'Join'),
  ].filter((furnishing): furnishing is Furnishing => furnishing !== undefined);
  // What is made wakes this stage again; it is told of when it is there.
  if (internal === undefined || furnishings.length > 0) {
    const events = furnishings.flatMap(({ event }) => event ?? []);
    // Each needs the one before it.
    return { steps: furnishings.map(({ write }) => [write]), events };
  }
  const ready = readyToJoin(cluster.metadata.generation ?? 0);
  const status = mirroredStatus(cluster, internal, expectedAgents(networkingAgents), now, [ready]);
  return { steps: [statusWrites(cluster, status)], events: transitionEvents(cluster, status) };
}
