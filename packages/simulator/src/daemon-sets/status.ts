import type { JsonObject } from '@flotilla/kube';
import { isReady } from '../pods/pod-state.ts';
import { counts } from '../status/next-status.ts';
import { inAgeOrder, isUpdated } from './daemon-pod.ts';
import { isAvailableIn, type Placement } from './placement.ts';

/** Counts nodes: the oldest pod of a node stands for all. */
export function statusOf(placement: Placement): JsonObject {
  const { set, hash, fits, podsByNode } = placement;
  const { conditions, collisionCount } = set.status ?? {};
  const desired = [...fits].filter(([, { shouldRun }]) => shouldRun).map(([node]) => node);
  const misplaced = [...fits].filter(([node, { shouldRun }]) => !shouldRun && podsByNode.has(node));
  const pods = desired.flatMap((node) => inAgeOrder(podsByNode.get(node) ?? []).slice(0, 1));
  const ready = pods.filter(isReady);
  const numberAvailable = ready.filter((pod) => isAvailableIn(placement, pod)).length;
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: misplaced.length,
    desiredNumberScheduled: desired.length,
    numberReady: ready.length,
    observedGeneration: set.metadata.generation ?? 0,
    ...counts({
      updatedNumberScheduled: pods.filter((pod) => isUpdated(pod, set, hash)).length,
      numberAvailable,
      numberUnavailable: desired.length - numberAvailable,
    }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions && { conditions }),
  };
}
