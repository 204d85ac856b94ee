/** The end of a membership: the agents are told, then the hub clears up, with or without them. */
import {
  memberClusterConditions,
  memberClusterFinalizer,
  memberClusters,
  memberStates,
  works as workKind,
  type MemberCluster,
  type MemberClusterStatus,
} from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { conditionOf } from '../conditions.ts';
import { namespaces } from './builtin-kinds.ts';
import { furnishInternal } from './member-place.ts';
import type { MembershipSettings, MemberState } from './member-state.ts';
import { expectedAgents, mirroredStatus } from './mirrored-status.ts';
import { statusWrite } from './status-write.ts';
import { transitionEvents } from './transitions.ts';

/** A namespace that takes longer to go needs somebody to look at it. */
const namespacePatienceMs = 15 * 60_000;

export function decideLeave(state: MemberState, settings: MembershipSettings, now: Date): Plan {
  const { cluster, namespace, internal } = state;
  if (!cluster.metadata.finalizers?.includes(memberClusterFinalizer)) return nothingToDo;
  if (namespace === undefined) return { steps: [[released(cluster)]] };

  const status = mirroredStatus(cluster, internal, expectedAgents(settings.networkingAgents), now);
  const forcedInMs = forcedIn(state, settings, now);
  const hasLeft = internal === undefined || hasEveryAgentLeft(status);
  const mayClear = hasLeft || forcedInMs <= 0;
  if (namespace.metadata.deletionTimestamp !== undefined) {
    return awaitNamespace(namespace, mayClear ? clearedWorks(state) : [], now);
  }
  if (!mayClear) return askToLeave(state, status, forcedInMs);
  const isNews = hasLeft && internal !== undefined;
  return {
    steps: [clearedWorks(state), [removed(namespace)], isNews ? [statusWrite(cluster, status)] : []],
    events: isNews ? transitionEvents(cluster, status) : [],
  };
}

/** Agents are not waited for longer than this; endlessly, while they have not been asked. */
function forcedIn({ cluster, internal }: MemberState, { forceDeleteWaitMs }: MembershipSettings, now: Date): number {
  if (internal?.spec.state !== memberStates.leave) return Infinity;
  return Date.parse(cluster.metadata.deletionTimestamp ?? '') + forceDeleteWaitMs - now.getTime();
}

function hasEveryAgentLeft({ conditions }: MemberClusterStatus): boolean {
  return conditionOf(conditions, memberClusterConditions.joined)?.status === 'False';
}

function askToLeave(state: MemberState, status: MemberClusterStatus, forcedInMs: number): Plan {
  const asking = furnishInternal(state, memberStates.leave);
  return {
    steps: [asking ? [asking.write] : [], [statusWrite(state.cluster, status)]],
    events: [...(asking?.event ? [asking.event] : []), ...transitionEvents(state.cluster, status)],
    // Who is asked just now wakes this stage again.
    ...(Number.isFinite(forcedInMs) && { comeBackAfterMs: forcedInMs }),
  };
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
function awaitNamespace({ metadata }: Readonly<KubeObject>, cleared: readonly Write[], now: Date): Plan {
  if (cleared.length > 0) return { steps: [cleared] };
  const { name = '', deletionTimestamp: since = '' } = metadata;
  const patienceMs = Date.parse(since) + namespacePatienceMs - now.getTime();
  if (patienceMs >= 0) return { steps: [], comeBackAfterMs: patienceMs + 1 };
  throw new Error(`failed to delete the member cluster namespace ${name}, it has been deleting since ${since}`);
}
