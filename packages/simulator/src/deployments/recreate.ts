/** Recreate: all old pods go before the first new one comes. */
import { desiredReplicas } from './limits.ts';
import { isActiveSet, sizeOf, sum, type Resize, type Rollout } from './rollout.ts';

export function oldSetsToZero({ oldSets }: Rollout): Resize[] {
  return oldSets.filter(isActiveSet).map((set) => ({ set, to: 0 }));
}

/** Whether an old set still counts pods. Terminating ones are not counted by their set, but `hasOldPods` says if there are any. */
export function areOldPodsRunning({ oldSets }: Rollout, hasOldPods: boolean): boolean {
  return hasOldPods || sum(oldSets, ({ status }) => status?.replicas ?? 0) > 0;
}

export function newSetToDesired({ deployment, newSet }: Rollout): Resize[] {
  const to = desiredReplicas(deployment);
  return newSet === undefined || sizeOf(newSet) === to ? [] : [{ set: newSet, to }];
}
