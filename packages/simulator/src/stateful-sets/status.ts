import type { JsonObject } from '@flotilla/kube';
import type { ControllerRevision, Pod, StatefulSet } from '../kinds.ts';
import { isAvailable, isReady, isTerminating } from '../pods/pod-state.ts';
import { counts } from '../status/next-status.ts';
import { revisionOf } from './identity.ts';
import type { Revisions } from './revisions.ts';

/** The current revision becomes the update revision when all pods have it and are ready. */
export function statusOf(
  set: Readonly<StatefulSet>,
  { current, update, collisionCount }: Revisions,
  pods: readonly Readonly<Pod>[],
  now: Date,
): JsonObject {
  const { replicas: wanted = 1, minReadySeconds = 0, updateStrategy } = set.spec ?? {};
  const count = (matches: (pod: Readonly<Pod>) => boolean): number => pods.filter(matches).length;
  const countOf = ({ metadata }: Readonly<ControllerRevision>): number =>
    count((pod) => !isTerminating(pod) && revisionOf(pod) === metadata.name);
  const replicas = pods.length;
  const readyReplicas = count(isRunning);
  const updatedReplicas = countOf(update);
  const isComplete = [replicas, readyReplicas, updatedReplicas].every((number) => number === wanted);
  const currentOne = isComplete && updateStrategy?.type !== 'OnDelete' ? update : current;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas,
    ...counts({ readyReplicas, currentReplicas: countOf(currentOne), updatedReplicas }),
    currentRevision: currentOne.metadata.name ?? '',
    updateRevision: update.metadata.name ?? '',
    collisionCount,
    availableReplicas: count((pod) => isRunning(pod) && isAvailable(pod, minReadySeconds, now)),
  };
}

export function isRunning(pod: Readonly<Pod>): boolean {
  return pod.status?.phase === 'Running' && isReady(pod);
}
