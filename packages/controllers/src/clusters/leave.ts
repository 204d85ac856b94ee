/** The end of a membership: the agents are told, then the hub clears up, with or without them. */
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
import { furnishInternal, withdrawn } from './member-place.ts';
import type { MembershipSettings, MemberState } from './member-state.ts';
import { expectedAgents, mirroredStatus } from './mirrored-status.ts';
import { statusWrites } from './status-write.ts';
import { transitionEvents } from './transitions.ts';

/** A namespace that takes longer to go needs somebody to look at it. */
const namespacePatienceMs = 15 * 60_000;

export function decideLeave(state: MemberState, settings: MembershipSettings, now: Date): Plan {
  const { cluster, namespace, internal, roleBinding } = state;
  if (!cluster.metadata.finalizers?.includes(memberClusterFinalizer)) return nothingToDo;
  if (namespace === undefined) return { steps: [[released(cluster)]] };
  if (internal === undefined) return clearUp(state, namespace, now);
  const isGoing = namespace.metadata.deletionTimestamp !== undefined;
  // Without its RoleBinding the agent cannot hear it.
  const asking = isGoing || roleBinding === undefined ? undefined : furnishInternal(state, memberStates.leave);
  const status = mirroredStatus(cluster, internal, expectedAgents(settings.networkingAgents), now);
  const hasLeft = saysLeft(status);
  const forcedInMs = Date.parse(cluster.metadata.deletionTimestamp ?? '') + settings.forceDeleteWaitMs - now.getTime();
  if (asking !== undefined && !hasLeft) {
    // When the wait is over, a request that the server refuses must not hold up the end.
    const step = forcedInMs > 0 ? [asking.write] : [asking.write, ...withdrawnAccess(state)];
    // The answer wakes this stage again.
    return { steps: [step], events: asking.event ? [asking.event] : [] };
  }
  if (forcedInMs <= 0) return clearUp(state, namespace, now);
  // People are told first.
  if (hasLeft && saysLeft(cluster.status)) return clearUp(state, namespace, now);
  return {
    steps: [statusWrites(cluster, status)],
    events: transitionEvents(cluster, status),
    comeBackAfterMs: hasLeft ? 0 : forcedInMs,
  };
}

function saysLeft(status: MemberClusterStatus | undefined): boolean {
  return conditionOf(status?.conditions, memberClusterConditions.joined)?.status === 'False';
}

/** The member's access ends first, so that it can undo nothing. Works are let go of, and the namespace goes with all that is in it. */
function clearUp(state: MemberState, namespace: Readonly<KubeObject>, now: Date): Plan {
  const steps = [withdrawnAccess(state), clearedWorks(state)];
  if (namespace.metadata.deletionTimestamp === undefined) return { steps: [...steps, [removed(namespace)]] };
  return steps.some(({ length }) => length > 0) ? { steps } : awaitNamespace(namespace, now);
}

function withdrawnAccess({ roleBinding }: MemberState): Write[] {
  return roleBinding === undefined ? [] : [withdrawn(roleBinding)];
}

/** Works that wait for a member that is gone would wait for ever, and the namespace with them. */
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

/** Throws when that takes too long: it is counted as an error, and somebody can be told. */
function awaitNamespace({ metadata }: Readonly<KubeObject>, now: Date): Plan {
  const { name = '', deletionTimestamp: since = '' } = metadata;
  const patienceMs = Date.parse(since) + namespacePatienceMs - now.getTime();
  if (patienceMs >= 0) return { steps: [], comeBackAfterMs: patienceMs + 1 };
  throw new Error(`failed to delete the member cluster namespace ${name}, it has been deleting since ${since}`);
}
