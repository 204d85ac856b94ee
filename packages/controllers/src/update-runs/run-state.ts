import type { ApprovalRequest, MemberCluster, PlacementFamily, UpdateRun, UpdateStrategy } from '@flotilla/api';
import type { OverrideNames } from '../overrides/matching-overrides.ts';
import type { PlacementState } from '../placement/placement-state.ts';

/** What a decision about one update run depends on. */
export interface RunState {
  readonly family: PlacementFamily;
  readonly run: Readonly<UpdateRun>;
  /** The placement with its snapshots and bindings; undefined if it does not exist. */
  readonly parent: PlacementState | undefined;
  readonly strategy: Readonly<UpdateStrategy> | undefined;
  readonly cluster: (name: string) => Readonly<MemberCluster> | undefined;
  readonly approval: (name: string) => Readonly<ApprovalRequest> | undefined;
  /** The requests of this run. */
  readonly approvals: () => readonly Readonly<ApprovalRequest>[];
  /** The overrides for the resources of the group with this index; undefined if the snapshots are not read yet. */
  readonly overridesIn: (index: number) => OverridesOf | undefined;
  /** Whether the selection of the placement shows all changes that came before the run. */
  readonly isSelectionCurrent: () => boolean;
  /** Other runs of the placement that have not ended. */
  readonly others: () => readonly Readonly<UpdateRun>[];
  readonly settings: RunSettings;
  /** When some of its bindings are no longer left to works; undefined if none is. */
  readonly leftForMs?: number | undefined;
}

export type OverridesOf = (cluster: Readonly<MemberCluster>) => OverrideNames;

export interface RunSettings {
  /** Whether works runs in this process: bindings get its finalizer with their first resources, and it may say that they are rolled out. */
  readonly isWithWorks: boolean;
  /** Whether a run fails if another one with a different strategy is under way. */
  readonly requiresSameStrategy: boolean;
  /** A cluster that takes longer is called stuck. The run waits on. */
  readonly stuckAfterMs: number;
}
