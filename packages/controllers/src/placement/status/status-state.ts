/** What the status of a placement is made from. */
import type { Binding, PlacedResource, Placement, PlacementFamily, PolicySnapshot } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';

export interface StatusState {
  readonly family: PlacementFamily;
  /** With the stored status: transition times come from there. */
  readonly placement: Readonly<Placement>;
  /** The latest one. */
  readonly policySnapshot: Readonly<PolicySnapshot> | undefined;
  /** All of the placement. */
  readonly bindings: readonly Readonly<Binding>[];
  /** The first resource snapshot of the latest group; only its metadata is read. Ignored if update runs roll out. */
  readonly latest: Readonly<KubeObject> | undefined;
  /** What the placement selects; while a new snapshot is delayed, what the latest has. */
  readonly selected: readonly PlacedResource[];
  /** All resource snapshots of the placement, in any order; only their metadata is read, and only if update runs roll out. */
  readonly snapshots?: readonly Readonly<KubeObject>[];
  /** The resources in the group of a first snapshot. Asked only if update runs roll out. */
  readonly resourcesIn?: (master: Readonly<KubeObject>) => readonly PlacedResource[];
}

/** The parts of a status beside clusters and conditions. */
export interface Contents {
  readonly observedResourceIndex: string;
  readonly selectedResources: readonly PlacedResource[];
}
