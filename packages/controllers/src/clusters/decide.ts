import {
  conditionOf,
  isTrueNow,
  memberClusterConditions,
  memberClusterFinalizer,
  memberClusters,
  type MemberClusterStatus,
  memberNameLabel,
  withCondition,
} from '@flotilla/api';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { decideLeave } from './leave.ts';
import {
  ensureInternal,
  ensureNamespace,
  ensureRole,
  ensureRoleBinding,
  deleteRoleBinding,
  type PlaceChange,
} from './member-place.ts';
import type { MembershipSettings, MemberState } from './member-state.ts';
import { expectedAgents, mirroredStatus, notReadyToJoin, readyToJoin } from './mirrored-status.ts';
import { taintsOfNew } from './new-member-taint.ts';
import { problemOf } from './problem.ts';
import { statusWrites } from './status-write.ts';
import { transitionEvents } from './transitions.ts';

/** What a member needs on the hub, and the status of its MemberCluster. */
export function decideMembership(state: MemberState, settings: MembershipSettings, now: Date): Plan {
  const { cluster, namespace } = state;
  if (cluster.metadata.deletionTimestamp !== undefined) return decideLeave(state, settings, now);
  const claim = claimed(state, settings);
  if (claim !== undefined && hasLostFinalizer(state) && !hasOtherWrites(state, settings, now)) return nothingToDo;
  // The patch requeues the member; the rest is decided then.
  if (claim !== undefined) return { steps: [[claim]] };
  const problem = problemOf(cluster);
  if (problem !== undefined) return refused(state, problem, now);
  // Nothing can be created in a terminating namespace. Its deletion requeues the member.
  if (namespace?.metadata.deletionTimestamp !== undefined) return nothingToDo;
  return decideJoin(state, settings, now);
}

/** The finalizer and the name label, which must be there before anything is created for the member. New ones get a taint, too. */
function claimed({ cluster }: MemberState, { newMemberTaint }: MembershipSettings): Write | undefined {
  const { name = '', resourceVersion = '', labels = {}, finalizers = [] } = cluster.metadata;
  const isClaimed = finalizers.includes(memberClusterFinalizer);
  if (isClaimed && labels[memberNameLabel] === name) return undefined;
  const metadata = {
    resourceVersion,
    labels: { [memberNameLabel]: name },
    finalizers: isClaimed ? finalizers : [...finalizers, memberClusterFinalizer],
  };
  const taints = isClaimed ? undefined : taintsOfNew(cluster, newMemberTaint);
  const patch = { metadata, ...(taints && { spec: { taints } }) };
  return { verb: 'patch', kind: memberClusters, key: { name }, patch };
}

/**
 * A user who takes the finalizer from a member that has one is about to delete it without waiting for its agents. As in KubeFleet,
 * the finalizer comes back with the next report of the agents.
 */
function hasLostFinalizer({ cluster }: MemberState): boolean {
  const { name, generation, labels = {} } = cluster.metadata;
  const ready = conditionOf(cluster.status?.conditions, memberClusterConditions.readyToJoin);
  return labels[memberNameLabel] === name && isTrueNow(ready, generation);
}

function hasOtherWrites(state: MemberState, settings: MembershipSettings, now: Date): boolean {
  return decideJoin(state, settings, now).steps.flat().length > 0;
}

/** The previous identity loses its RoleBinding. */
function refused({ cluster, roleBinding }: MemberState, problem: string, now: Date): Plan {
  const condition = notReadyToJoin(cluster.metadata.generation ?? 0, problem);
  const status: MemberClusterStatus = {
    ...cluster.status,
    conditions: withCondition(cluster.status?.conditions ?? [], condition, now),
  };
  return { steps: [roleBinding ? [deleteRoleBinding(roleBinding)] : [], statusWrites(cluster, status)] };
}

function decideJoin(state: MemberState, { networkingAgents }: MembershipSettings, now: Date): Plan {
  const { cluster, internal } = state;
  const changes = [
    ensureNamespace(state),
    ensureRole(state, networkingAgents),
    ensureRoleBinding(state),
    ensureInternal(state, 'Join'),
  ].filter((change): change is PlaceChange => change !== undefined);
  // The writes requeue the member; its status follows when all exist.
  if (internal === undefined || changes.length > 0) {
    const events = changes.flatMap(({ event }) => event ?? []);
    // Each needs the previous one.
    return { steps: changes.map(({ write }) => [write]), events };
  }
  const ready = readyToJoin(cluster.metadata.generation ?? 0);
  const status = mirroredStatus(cluster, internal, expectedAgents(networkingAgents), now, [ready]);
  return { steps: [statusWrites(cluster, status)], events: transitionEvents(cluster, status) };
}
