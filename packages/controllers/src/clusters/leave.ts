/** Deletion of a member: its agents are asked to leave, then the hub deletes its objects, with or without them. */
import {
  conditionOf,
  type MemberCluster,
  memberClusterConditions,
  memberClusterFinalizer,
  memberClusters,
  type MemberClusterStatus,
  memberStates,
  works as workKind,
} from '@flotilla/api';
import { namespaces, type KubeObject } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { ensureInternal, deleteRoleBinding } from './member-place.ts';
import type { MembershipSettings, MemberState } from './member-state.ts';
import { expectedAgents, mirroredStatus } from './mirrored-status.ts';
import { statusWrites } from './status-write.ts';
import { transitionEvents } from './transitions.ts';

/** A namespace that terminates for longer is an error. */
const namespaceDeletionLimitMs = 15 * 60_000;

export function decideLeave(state: MemberState, settings: MembershipSettings, now: Date): Plan {
  const { cluster, namespace, internal, roleBinding } = state;
  if (!cluster.metadata.finalizers?.includes(memberClusterFinalizer)) return nothingToDo;
  if (namespace === undefined) return { steps: [[released(cluster)]] };
  if (internal === undefined) return clearUp(state, namespace, now);
  const isGoing = namespace.metadata.deletionTimestamp !== undefined;
  // Without its RoleBinding the agent cannot read the request.
  const asking = isGoing || roleBinding === undefined ? undefined : ensureInternal(state, memberStates.leave);
  const status = mirroredStatus(cluster, internal, expectedAgents(settings.networkingAgents), now);
  const hasLeft = saysLeft(status);
  const forcedInMs = Date.parse(cluster.metadata.deletionTimestamp ?? '') + settings.forceDeleteWaitMs - now.getTime();
  if (asking !== undefined && !hasLeft) {
    // After the wait, a refused request must not block the deletion.
    const step = forcedInMs > 0 ? [asking.write] : [asking.write, ...deleteAccess(state)];
    // The agent's response requeues the member.
    return { steps: [step], events: asking.event ? [asking.event] : [] };
  }
  if (forcedInMs <= 0) return clearUp(state, namespace, now);
  // The status says that the member has left before its objects are deleted.
  if (hasLeft && saysLeft(cluster.status)) return clearUp(state, namespace, now);
  return {
    steps: [statusWrites(cluster, status)],
    events: transitionEvents(cluster, status),
    requeueAfterMs: hasLeft ? 0 : forcedInMs,
  };
}

function saysLeft(status: MemberClusterStatus | undefined): boolean {
  return conditionOf(status?.conditions, memberClusterConditions.joined)?.status === 'False';
}

/** The member's access ends first, so that it can undo nothing. Then Works lose their finalizers, then the namespace is deleted. */
function clearUp(state: MemberState, namespace: Readonly<KubeObject>, now: Date): Plan {
  const steps = [deleteAccess(state), clearedWorks(state)];
  if (namespace.metadata.deletionTimestamp === undefined) return { steps: [...steps, [removed(namespace)]] };
  return steps.some(({ length }) => length > 0) ? { steps } : awaitNamespace(namespace, now);
}

function deleteAccess({ roleBinding }: MemberState): Write[] {
  return roleBinding === undefined ? [] : [deleteRoleBinding(roleBinding)];
}

/** The finalizers of a departed agent would block the deletion of its Works, and of the namespace, for ever. */
function clearedWorks({ works }: MemberState): Write[] {
  return works
    .filter(({ metadata }) => (metadata.finalizers ?? []).length > 0)
    .map(({ metadata: { namespace, name = '', resourceVersion = '' } }) => ({
      verb: 'patch',
      kind: workKind,
      key: { namespace, name },
      patch: { metadata: { resourceVersion, finalizers: null } },
    }));
}

function removed({ metadata: { name = '', uid = '' } }: Readonly<KubeObject>): Write {
  return { verb: 'delete', kind: namespaces, key: { name }, uid };
}

function released({ metadata }: MemberCluster): Write {
  const { name = '', resourceVersion = '', finalizers = [] } = metadata;
  const others = finalizers.filter((finalizer) => finalizer !== memberClusterFinalizer);
  return {
    verb: 'patch',
    kind: memberClusters,
    key: { name },
    patch: { metadata: { resourceVersion, finalizers: others } },
  };
}

/** Throws after the limit, so that the failure is logged and counted. */
function awaitNamespace({ metadata }: Readonly<KubeObject>, now: Date): Plan {
  const { name = '', deletionTimestamp: since = '' } = metadata;
  const leftMs = Date.parse(since) + namespaceDeletionLimitMs - now.getTime();
  if (leftMs >= 0) return { steps: [], requeueAfterMs: leftMs + 1 };
  throw new Error(`failed to delete the member cluster namespace ${name}, it has been deleting since ${since}`);
}
