import { formatTime, type ObjectKey } from '@flotilla/kube';
import type { Cache, Controller, PlannedEvent, Write } from '@flotilla/runtime';
import { delayOf } from '../behaviour/outcome-of.ts';
import type { WorkloadBehaviour } from '../behaviour/workload-behaviour.ts';
import { kinds, type Condition, type Pod, type VolumeClaim } from '../kinds.ts';
import { nodeIndex, podsOnNode } from '../pods/node-index.ts';
import { conditionOf, isFinished } from '../pods/pod-state.ts';
import { selectedNode } from '../volume-claims/annotations.ts';
import { patch, versionOf } from '../volume-claims/bind.ts';
import { demandOf } from './demand.ts';
import type { PendingPod } from './filters.ts';
import { placePods, type Cluster, type Placement } from './place-pods.ts';
import { areSelected, volumesOf } from './pod-volumes.ts';
import { isPending, SchedulerState } from './scheduler-state.ts';

/** Pods that a turn tries; so many take a few milliseconds with a hundred nodes. */
const podsPerTurn = 100;

/** One pod's place affects the next one's, so all share a key. */
const all: ObjectKey = { name: 'all' };

interface SchedulingTurn {
  readonly pods: readonly PendingPod[];
  readonly cluster: Cluster;
  readonly hasMore: boolean;
}

/** kube-scheduler: assigns pods to nodes. */
export function schedulerController(behaviour: WorkloadBehaviour): Controller<SchedulingTurn> {
  const state = new SchedulerState();
  /** Of the last turn. If its writes failed, the next one tries them again. */
  let lastPlacements: readonly Placement[] = [];
  return {
    name: 'default-scheduler',
    fieldManager: 'kube-scheduler',
    watches: [
      {
        kind: kinds.pod,
        indexes: nodeIndex,
        concerns: (now, old) => {
          state.podChanged(now, old);
          return state.hasActive ? [all] : [];
        },
      },
      {
        kind: kinds.node,
        concerns: (now, old) => {
          state.nodeChanged(now, old);
          return state.hasActive ? [all] : [];
        },
      },
      {
        kind: kinds.volumeClaim,
        concerns: () => {
          state.retryClaims();
          return state.hasActive ? [all] : [];
        },
      },
      { kind: kinds.volume, concerns: () => [] },
      { kind: kinds.storageClass, concerns: () => [] },
    ],
    observe: (_key, cache) => {
      for (const placement of lastPlacements) if (!isShown(placement, cache)) state.retryPod(placement.pending.pod);
      lastPlacements = [];
      const keys = state.activePods().take(podsPerTurn).toArray();
      const pods = keys
        .flatMap((key) => cache.get(kinds.pod, key) ?? [])
        .filter(isPending)
        .map((pod) => ({ pod, demand: demandOf(pod), volumes: volumesOf(pod, cache) }));
      if (pods.length === 0) return undefined;
      const repelling = [...state.repelling()].flatMap(({ key, node }) => {
        const pod = cache.get(kinds.pod, key);
        return pod === undefined ? [] : [{ pod, node }];
      });
      const podsOn = (node: string) => podsOnNode(node, cache).filter((pod) => !isFinished(pod));
      return { pods, cluster: { nodes: state.nodes(), podsOn, repelling }, hasMore: keys.length === podsPerTurn };
    },
    decide: ({ pods, cluster, hasMore }, now) => {
      const { due, waitMs } = splitByDelay(pods, behaviour, now);
      // These have their node, and wait until their volumes are there.
      const waiting = due.filter(
        ({ volumes }) => volumes && volumes.unbound.length > 0 && areSelected(volumes.unbound),
      );
      const placements = placePods(
        due.filter((pending) => !waiting.includes(pending)),
        cluster,
      );
      lastPlacements = placements;
      for (const { pod } of waiting) state.setUnschedulable(pod);
      for (const { pending, ...result } of placements) {
        const isBound = 'node' in result && (pending.volumes?.unbound ?? []).length === 0;
        if (!isBound) state.setUnschedulable(pending.pod);
      }
      const requeueAfterMs = hasMore && due.length > 0 ? 0 : waitMs;
      const steps = [placements.flatMap((placement) => writesFor(placement, now))];
      return { steps, ...(requeueAfterMs !== undefined && { requeueAfterMs }) };
    },
  };
}

/** Those with a higher priority come first, then those that were created first. */
function splitByDelay(
  pods: readonly PendingPod[],
  behaviour: WorkloadBehaviour,
  now: Date,
): { readonly due: readonly PendingPod[]; readonly waitMs: number | undefined } {
  const untilDue = ({ pod }: PendingPod): number =>
    Date.parse(pod.metadata.creationTimestamp ?? '') + delayOf(pod, 'schedulingMs', behaviour) - now.getTime();
  const waits = pods.map(untilDue).filter((wait) => wait > 0);
  const due = pods
    .filter((pending) => !(untilDue(pending) > 0))
    .toSorted((a, b) => (b.pod.spec?.priority ?? 0) - (a.pod.spec?.priority ?? 0));
  return { due, waitMs: waits.length === 0 ? undefined : Math.min(...waits) };
}

/** Whether the cluster shows what the placement wrote. A pod that it bound stays active until it has its node. */
function isShown(placement: Placement, cache: Cache): boolean {
  const { pod, volumes } = placement.pending;
  const { namespace, name = '' } = pod.metadata;
  const shown = cache.get(kinds.pod, { namespace, name });
  if (shown === undefined || !isPending(shown)) return true;
  if ('message' in placement) return conditionOf(shown, 'PodScheduled')?.message === placement.message;
  const claims = (volumes?.unbound ?? []).flatMap(({ metadata }) => {
    return cache.get(kinds.volumeClaim, { namespace, name: metadata.name ?? '' }) ?? [];
  });
  return areSelected(claims);
}

function writesFor(placement: Placement, now: Date): Write[] {
  const { pod, volumes } = placement.pending;
  if ('message' in placement) return [refuse(pod, placement.message, now)];
  const { unbound = [] } = volumes ?? {};
  return unbound.length === 0 ? [bind(pod, placement.node)] : unbound.map((claim) => select(claim, placement.node));
}

/** Says on which node the volume of the claim is needed. The pod gets the node when the claim has its volume. */
function select(claim: Readonly<VolumeClaim>, node: string): Write {
  return patch(kinds.volumeClaim, claim, { metadata: { ...versionOf(claim), annotations: { [selectedNode]: node } } });
}

function bind(pod: Readonly<Pod>, node: string): Write {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const target = { kind: 'Node', name: node };
  const object = { apiVersion: 'v1', kind: 'Binding', metadata: { namespace, name, uid }, target };
  const message = `Successfully assigned ${namespace}/${name} to ${node}`;
  const event: PlannedEvent = { about: pod, type: 'Normal', reason: 'Scheduled', message };
  return { verb: 'create', kind: kinds.pod, object, subresource: 'binding', event };
}

function refuse(pod: Readonly<Pod>, message: string, now: Date): Write {
  const before = conditionOf(pod, 'PodScheduled');
  const condition: Condition = {
    type: 'PodScheduled',
    observedGeneration: pod.metadata.generation ?? 0,
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: (before?.status === 'False' && before.lastTransitionTime) || formatTime(now),
    reason: 'Unschedulable',
    message,
  };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const event: PlannedEvent = { about: pod, type: 'Warning', reason: 'FailedScheduling', message };
  const object = { ...pod, status: { ...pod.status, conditions: [...others, condition] } };
  return { verb: 'update', kind: kinds.pod, object, subresource: 'status', event };
}
