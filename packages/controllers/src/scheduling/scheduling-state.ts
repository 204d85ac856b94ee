import type { Binding, MemberCluster, Placement, PlacementFamily, PolicySnapshot } from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import type { FirstRollout } from '../rollout/observe.ts';
import type { HolderOf } from './binding-name.ts';
import type { CandidateClusters } from './candidate-clusters.ts';

/** All that the scheduling of one placement depends on. */
export interface SchedulingState {
  readonly family: PlacementFamily;
  readonly key: ObjectKey;
  /** Undefined if it is gone; bindings may outlive it. */
  readonly placement: Readonly<Placement> | undefined;
  /** The latest one. Undefined before the placement controller has made one. */
  readonly policySnapshot: Readonly<PolicySnapshot> | undefined;
  readonly bindings: readonly Readonly<Binding>[];
  readonly clusters: readonly Readonly<MemberCluster>[];
  /** The only clusters that it may choose. Undefined if it may choose any. */
  readonly candidates?: CandidateClusters | undefined;
  readonly holderOf: HolderOf;
  /** Undefined if bindings are not bound as they are created. */
  readonly firstRollout?: FirstRollout | undefined;
}
