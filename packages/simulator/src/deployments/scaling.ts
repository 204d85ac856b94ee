/** Scaling of a Deployment: in the middle of a rollout, all its sets keep their share. */
import type { Deployment, ReplicaSet } from '../kinds.ts';
import { desiredReplicasOf, maxReplicasOf } from './annotations.ts';
import { desiredReplicas, isRolling, maxSurge } from './limits.ts';
import { allSets, availableIn, byAge, isActiveSet, sizeOf, sum, type Resize, type Rollout } from './rollout.ts';

/** Whether the Deployment was scaled since its sets were. */
export function isScalingEvent(rollout: Rollout): boolean {
  const desired = desiredReplicas(rollout.deployment);
  return allSets(rollout)
    .filter(isActiveSet)
    .some((set) => (desiredReplicasOf(set) ?? desired) !== desired);
}

export interface Scaling {
  readonly resizes: readonly Resize[];
  /** Whether sets that keep their size record the Deployment's new size, too. */
  readonly isProportional: boolean;
}

export function scalingOf(rollout: Rollout): Scaling {
  const { deployment, newSet, oldSets } = rollout;
  const desired = desiredReplicas(deployment);
  const active = allSets(rollout).filter(isActiveSet);
  if (active.length <= 1) {
    const only = active[0] ?? newSet ?? oldSets.at(-1);
    const isRight = only === undefined || sizeOf(only) === desired;
    return { resizes: isRight ? [] : [{ set: only, to: desired }], isProportional: false };
  }
  if (newSet !== undefined && isSaturated(deployment, newSet)) {
    const resizes = oldSets.filter(isActiveSet).map((set) => ({ set, to: 0 }));
    return { resizes, isProportional: false };
  }
  if (!isRolling(deployment)) return { resizes: [], isProportional: false };
  return { resizes: proportional(deployment, active), isProportional: true };
}

function isSaturated(deployment: Readonly<Deployment>, set: Readonly<ReplicaSet>): boolean {
  const desired = desiredReplicas(deployment);
  return sizeOf(set) === desired && desiredReplicasOf(set) === desired && availableIn(set) === desired;
}

/** Shares out what is to be added or removed, to the largest sets first. What remains after rounding is the largest one's. */
function proportional(deployment: Readonly<Deployment>, active: readonly Readonly<ReplicaSet>[]): Resize[] {
  const desired = desiredReplicas(deployment);
  const allowed = desired > 0 ? desired + maxSurge(deployment) : 0;
  const toAdd = allowed - sum(active, sizeOf);
  const bySize = active.toSorted((a, b) => sizeOf(b) - sizeOf(a) || (toAdd > 0 ? byAge(b, a) : byAge(a, b)));
  let left = toAdd;
  const resizes = bySize.map((set) => {
    const share = left === 0 ? 0 : fraction(deployment, set);
    const added = toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
    left -= added;
    return { set, to: sizeOf(set) + added };
  });
  return resizes.map(({ set, to }, index) => ({ set, to: index === 0 ? Math.max(0, to + left) : to }));
}

/** By how much a set would grow if it kept its share of the Deployment. */
function fraction(deployment: Readonly<Deployment>, set: Readonly<ReplicaSet>): number {
  const size = sizeOf(set);
  const desired = desiredReplicas(deployment);
  if (desired === 0) return -size;
  const before = maxReplicasOf(set) || (deployment.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round((size * (desired + maxSurge(deployment))) / before) - size;
}
