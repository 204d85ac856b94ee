import { compareBytes } from '@flotilla/kube';
import type { Deployment, ReplicaSet } from '../kinds.ts';

/** A Deployment with its ReplicaSets. */
export interface Rollout {
  readonly deployment: Readonly<Deployment>;
  /** The one with the Deployment's template. */
  readonly newSet: Readonly<ReplicaSet> | undefined;
  /** The others, the oldest first. */
  readonly oldSets: readonly Readonly<ReplicaSet>[];
}

/** A ReplicaSet is to have this many replicas. */
export interface Resize {
  readonly set: Readonly<ReplicaSet>;
  readonly to: number;
}

export function allSets({ newSet, oldSets }: Rollout): readonly Readonly<ReplicaSet>[] {
  return newSet === undefined ? oldSets : [...oldSets, newSet];
}

export function sizeOf({ spec }: Readonly<ReplicaSet>): number {
  return spec?.replicas ?? 1;
}

/** Whether pods are wanted of it. */
export function isActiveSet(set: Readonly<ReplicaSet>): boolean {
  return sizeOf(set) > 0;
}

export function availableIn({ status }: Readonly<ReplicaSet>): number {
  return status?.availableReplicas ?? 0;
}

/** How many available pods it keeps: after a set was scaled down, its status is late. */
export function remainingAvailable(set: Readonly<ReplicaSet>): number {
  return Math.min(availableIn(set), sizeOf(set));
}

export function sum<T>(items: readonly T[], countOf: (item: T) => number): number {
  return items.reduce((total, item) => total + countOf(item), 0);
}

/** For sorting: the oldest first, those of one second by name. */
export function byAge({ metadata: a }: Readonly<ReplicaSet>, { metadata: b }: Readonly<ReplicaSet>): number {
  const byTime = compareBytes(a.creationTimestamp ?? '', b.creationTimestamp ?? '');
  return byTime === 0 ? compareBytes(a.name ?? '', b.name ?? '') : byTime;
}

/** Whether the set's controller has not seen its spec yet. */
export function isUnobserved({ metadata, status }: Readonly<ReplicaSet>): boolean {
  return (metadata.generation ?? 0) > (status?.observedGeneration ?? 0);
}
