import type { ObjectKey } from '@flotilla/kube';
import { formatTime } from '@flotilla/kube';
import type { Controller, Plan, PlannedEvent, Write } from '@flotilla/runtime';
import { delayOf } from '../behaviour/outcome-of.ts';
import type { WorkloadBehaviour } from '../behaviour/workload-behaviour.ts';
import { kinds, type Condition, type Pod } from '../kinds.ts';
import { nodeIndex, podsOnNode } from '../pods/node-index.ts';
import { conditionOf, isFinished } from '../pods/pod-state.ts';
import { demandOf } from './demand.ts';
import type { PendingPod } from './filters.ts';
import { placePods, type Cluster, type Placement } from './place-pods.ts';
import { isPending, SchedulerState } from './scheduler-state.ts';

/** Pods that a turn tries; so many take a few milliseconds with a hundred nodes. */
const podsPerTurn = 100;

/** One pod's place affects the next one's, so all share a key. */
const all: ObjectKey = { name: 'all' };

interface SchedulingTurn {
  readonly pods: readonly Readonly<Pod>[];
  readonly cluster: Cluster;
  readonly hasMore: boolean;
}

/** kube-scheduler: assigns pods to nodes. */
export function schedulerController(behaviour: WorkloadBehaviour): Controller<SchedulingTurn> {
  const state = new SchedulerState();
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
    ],
    observe: (_key, cache) => {
      const keys = state.activePods().take(podsPerTurn).toArray();
      const pods = keys.flatMap((key) => cache.get(kinds.pod, key) ?? []).filter(isPending);
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
      const placements = placePods(due, cluster);
      for (const placement of placements) if ('message' in placement) state.setUnschedulable(placement.pending.pod);
      const requeueAfterMs = hasMore ? 0 : waitMs;
      return { ...planOf(placements, now), ...(requeueAfterMs !== undefined && { requeueAfterMs }) };
    },
  };
}

/** Those with a higher priority come first, then those that were created first. */
function splitByDelay(pods: readonly Readonly<Pod>[], behaviour: WorkloadBehaviour, now: Date) {
  const untilDue = (pod: Readonly<Pod>): number =>
    Date.parse(pod.metadata.creationTimestamp ?? '') + delayOf(pod, 'schedulingMs', behaviour) - now.getTime();
  const waits = pods.map(untilDue).filter((wait) => wait > 0);
  const due: PendingPod[] = pods
    .filter((pod) => !(untilDue(pod) > 0))
    .sort((a, b) => (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0))
    .map((pod) => ({ pod, demand: demandOf(pod) }));
  return { due, waitMs: waits.length === 0 ? undefined : Math.min(...waits) };
}

function planOf(placements: readonly Placement[], now: Date): Plan {
  return {
    steps: [
      placements.map((placement) =>
        'node' in placement
          ? bind(placement.pending.pod, placement.node)
          : refuse(placement.pending.pod, placement.message, now),
      ),
    ],
  };
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
