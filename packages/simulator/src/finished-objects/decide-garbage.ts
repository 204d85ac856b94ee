import { formatTime } from '@flotilla/kube';
import { nothingToDo, type Plan, type Write } from '@flotilla/runtime';
import { kinds, type Condition, type Node, type Pod } from '../kinds.ts';
import { isFinished, isTerminating } from '../pods/pod-state.ts';

/** A node that comes back within this time keeps its pods. */
const quarantineMs = 40_000;

/** Kubernetes looks for garbage this often. Until then, others may delete the pod. */
const graceMs = 20_000;

/** When nodes were first missed. */
export type MissingNodes = Map<string, number>;

/** Deletes the pods of a node that is gone, and those that a node out of service cannot end. */
export function decideNode(
  name: string,
  node: Readonly<Node> | undefined,
  pods: readonly Readonly<Pod>[],
  missing: MissingNodes,
  now: Date,
): Plan {
  const garbage = pods.filter((pod) => !isLeaving(pod));
  if (node !== undefined || garbage.length === 0) {
    missing.delete(name);
    return node === undefined ? nothingToDo : forcedDeletion(garbage.filter(isTerminating));
  }
  const since = missing.get(name) ?? now.getTime();
  missing.set(name, since);
  const waitMs = since + quarantineMs - now.getTime();
  if (waitMs > 0) return { ...nothingToDo, requeueAfterMs: waitMs };
  return forcedDeletion(garbage, (pod) => ({
    type: 'DisruptionTarget',
    ...generationOf(pod),
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: formatTime(now),
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
  }));
}

/** Deletes a pod that was deleted before it had a node, if a finalizer or a lost race has kept it. */
export function decideUnscheduled(pod: Readonly<Pod>, now: Date): Plan {
  if (isLeaving(pod)) return nothingToDo;
  const waitMs = Date.parse(pod.metadata.deletionTimestamp ?? '') + graceMs - now.getTime();
  return waitMs > 0 ? { ...nothingToDo, requeueAfterMs: waitMs } : forcedDeletion([pod]);
}

/** Deletes the oldest finished pods, evicted ones first. */
export function decideFinished(finished: readonly Readonly<Pod>[], limit: number): Plan {
  const rank = ({ status }: Readonly<Pod>): number => (status?.reason === 'Evicted' ? 0 : 1);
  const created = ({ metadata }: Readonly<Pod>): string => metadata.creationTimestamp ?? '';
  const surplus = finished
    .filter((pod) => !isTerminating(pod))
    .sort((a, b) => rank(a) - rank(b) || compare(created(a), created(b)) || compare(nameOf(a), nameOf(b)));
  return forcedDeletion(surplus.slice(0, Math.max(0, finished.length - limit)));
}

/** Whether only finalizers keep it. */
function isLeaving(pod: Readonly<Pod>): boolean {
  return isTerminating(pod) && isFinished(pod) && pod.metadata.deletionGracePeriodSeconds === 0;
}

function forcedDeletion(pods: readonly Readonly<Pod>[], conditionFor?: (pod: Readonly<Pod>) => Condition): Plan {
  const unfinished = pods.filter((pod) => !isFinished(pod));
  return {
    steps: [
      unfinished.map((pod) => failure(pod, conditionFor?.(pod))),
      pods.map(({ metadata: { namespace, name = '', uid = '' } }) => {
        return { verb: 'delete', kind: kinds.pod, key: { namespace, name }, uid, gracePeriodSeconds: 0 };
      }),
    ],
  };
}

function failure(pod: Readonly<Pod>, condition: Condition | undefined): Write {
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== condition?.type);
  const conditions = condition === undefined ? others : [...others, condition];
  const status = {
    ...pod.status,
    ...generationOf(pod),
    phase: 'Failed',
    ...(conditions.length > 0 && { conditions }),
  };
  return { verb: 'update', kind: kinds.pod, object: { ...pod, status }, subresource: 'status' };
}

function generationOf({ metadata: { generation = 0 } }: Readonly<Pod>): { readonly observedGeneration?: number } {
  return generation > 0 ? { observedGeneration: generation } : {};
}

function nameOf({ metadata }: Readonly<Pod>): string {
  return metadata.name ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
