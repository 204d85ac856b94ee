/** How many clusters may change at once. */
import type { Binding, PlacementPolicy, RollingUpdate } from '@flotilla/api';
import { shareOf } from '@flotilla/kube';
import { defaultRollingUpdate } from '../family/placement-defaults.ts';
import type { Change, Classified } from './classify.ts';

export interface Chosen {
  /** Bindings that get the latest resources now. */
  readonly changes: readonly Change[];
  /** Bindings that are deleted now. */
  readonly removals: readonly Readonly<Binding>[];
  /** Bindings that must wait. */
  readonly waitingToUpdate: readonly Change[];
  readonly waitingToBind: readonly Change[];
  readonly limits: Limits;
}

export interface Limits {
  /** Whether the user allows no unavailable cluster, whatever their number. */
  readonly isNoneUnavailable: boolean;
  /** Whether the user allows no cluster above the target number. */
  readonly isNoneAbove: boolean;
  /** How many more ready clusters may be removed or updated. */
  readonly removable: number;
  /** How many more clusters may get the resources for the first time. */
  readonly addable: number;
  /** Whether the clusters that stay are enough without those that leave. */
  readonly isEnoughWithoutLeaving: boolean;
}

/** The number of clusters that should have the resources. */
export function targetNumber(
  { placementType, numberOfClusters, clusterNames }: PlacementPolicy,
  { chosen }: Pick<Classified, 'chosen'>,
): number {
  switch (placementType) {
    case 'PickAll':
      return chosen;
    case 'PickFixed':
      return clusterNames?.length ?? 0;
    case 'PickN':
      return numberOfClusters ?? 0;
    default:
      return 0;
  }
}

export function limitsOf(classified: Classified, target: number, rollingUpdate: RollingUpdate | undefined): Limits {
  const { maxUnavailable, maxSurge } = { ...defaultRollingUpdate, ...rollingUpdate };
  const surge = shareOf(maxSurge, target, Math.ceil);
  // A policy may ask for more clusters than there are. KubeFleet waits for them before it updates the others.
  const reachable = Math.min(target, classified.all);
  const unavailable = shareOf(maxUnavailable, reachable, Math.ceil);
  const minAvailable = reachable - unavailable;
  return {
    isNoneUnavailable: shareOf(maxUnavailable, 1, Math.ceil) === 0,
    isNoneAbove: shareOf(maxSurge, 1, Math.ceil) === 0,
    removable: classified.ready - classified.readyButLeaving - minAvailable,
    addable: target + surge - classified.mayBeReady,
    isEnoughWithoutLeaving: classified.readyToStay >= minAvailable,
  };
}

/**
 * Removals come before updates, and both share one budget. Clusters that have failed are outside it, and so are those that leave and
 * are known to lack the resources. If the clusters that stay are enough, all others may leave.
 */
export function choose(classified: Classified, target: number, rollingUpdate: RollingUpdate | undefined): Chosen {
  const { leaving, unreadyLeaving, toBind, toUpdate, failedToUpdate } = classified;
  const limits = limitsOf(classified, target, rollingUpdate);
  const removable = Math.max(0, limits.removable);
  const removals = limits.isEnoughWithoutLeaving ? leaving : leaving.slice(0, removable);
  const updatable = Math.max(0, removable - removals.length);
  const addable = Math.max(0, limits.addable);
  return {
    changes: [...failedToUpdate, ...toUpdate.slice(0, updatable), ...toBind.slice(0, addable)],
    removals: [...unreadyLeaving, ...removals],
    waitingToUpdate: toUpdate.slice(updatable),
    waitingToBind: toBind.slice(addable),
    limits,
  };
}
