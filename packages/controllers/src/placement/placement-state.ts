import type { Binding, Placement, PlacementFamily, PolicySnapshot, ResourceSnapshot } from '@flotilla/api';
import type { Kind, KubeObject } from '@flotilla/kube';
import type { Selection } from './selection/selection.ts';

/** What a decision about one placement depends on. Snapshots are their metadata alone: their content may be hundreds of megabytes. */
export interface PlacementState {
  readonly family: PlacementFamily;
  readonly placement: Readonly<Placement>;
  readonly policySnapshots: readonly Readonly<KubeObject>[];
  readonly resourceSnapshots: readonly Readonly<KubeObject>[];
  readonly bindings: readonly Readonly<Binding>[];
  /** What it selects; pending for one that is being deleted. */
  readonly selection: Selection;
  /** The policy snapshot with this name, as a whole. */
  readonly policySnapshot: (name: string) => Readonly<PolicySnapshot> | undefined;
  /** The resource snapshot with this name, as a whole. */
  readonly resourceSnapshot: (name: string) => Readonly<ResourceSnapshot> | undefined;
  /** Whether an object with this name exists, also one that lost its labels. */
  readonly isTaken: (kind: Kind, name: string) => boolean;
}

/** How long a changed resource waits for its snapshot. With 0 for both, not at all; KubeFleet's defaults are 30 and 15 seconds. */
export interface SnapshotSettings {
  /** Whether the stage `scheduling` runs in this process. */
  readonly isWithScheduling?: boolean;
  /** The least time from one snapshot of a placement to the next. Default: 0. */
  readonly minSnapshotIntervalMs: number;
  /** How long changes are collected after the first one. Default: 0. */
  readonly collectChangesMs: number;
}
