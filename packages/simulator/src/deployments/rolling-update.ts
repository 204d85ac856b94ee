/** RollingUpdate: new pods come and old ones go within the limits of surge and unavailability. */
import type { Deployment, ReplicaSet } from '../kinds.ts';
import { desiredReplicas, isRolling, maxSurge, maxUnavailable } from './limits.ts';
import { allSets, isActiveSet, remainingAvailable, sizeOf, sum, type Resize, type Rollout } from './rollout.ts';

/** First the new set grows, as far as it may. If it cannot, the old ones shrink. */
export function rollingResizes(rollout: Rollout, newSet: Readonly<ReplicaSet>): Resize[] {
  const { deployment } = rollout;
  const to = newSetSize(deployment, sizeOf(newSet), sum(allSets(rollout), sizeOf));
  return to === sizeOf(newSet) ? oldSetResizes(rollout, newSet) : [{ set: newSet, to }];
}

/** The next size of the new set, where all sets together have `total` replicas. */
export function newSetSize(deployment: Readonly<Deployment>, size: number, total: number): number {
  const desired = desiredReplicas(deployment);
  if (size >= desired || !isRolling(deployment)) return desired;
  const room = desired + maxSurge(deployment) - total;
  return size + Math.max(0, Math.min(room, desired - size));
}

function oldSetResizes(rollout: Rollout, newSet: Readonly<ReplicaSet>): Resize[] {
  const { deployment } = rollout;
  const oldSets = rollout.oldSets.filter(isActiveSet);
  if (oldSets.length === 0) return [];
  const minAvailable = desiredReplicas(deployment) - maxUnavailable(deployment);
  const total = sum([...oldSets, newSet], sizeOf);
  // Pods of the new set that are not available yet must not let old ones go.
  const removable = total - minAvailable - (sizeOf(newSet) - remainingAvailable(newSet));
  if (removable <= 0) return [];
  const cleaned = shrink(oldSets, removable, sizeOf, (set) => sizeOf(set) - remainingAvailable(set));
  const sizes = new Map(cleaned.map(({ set, to }) => [set, to]));
  const spare = sum([...oldSets, newSet], remainingAvailable) - minAvailable;
  const sizeNow = (set: Readonly<ReplicaSet>): number => sizes.get(set) ?? sizeOf(set);
  return [...cleaned, ...shrink(oldSets, spare, sizeNow, sizeNow)];
}

/** Takes up to `count` replicas from the sets, from each no more than `offered`. */
function shrink(
  sets: readonly Readonly<ReplicaSet>[],
  count: number,
  sizeNow: (set: Readonly<ReplicaSet>) => number,
  offered: (set: Readonly<ReplicaSet>) => number,
): Resize[] {
  const resizes: Resize[] = [];
  let left = count;
  for (const set of sets) {
    const taken = Math.min(left, offered(set));
    if (taken <= 0) continue;
    resizes.push({ set, to: sizeNow(set) - taken });
    left -= taken;
  }
  return resizes;
}
