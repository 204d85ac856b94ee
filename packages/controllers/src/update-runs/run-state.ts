import type { ApprovalRequest, Binding, PlacementFamily, UpdateRun, UpdateStrategy } from '@flotilla/api';
import type { ObjectKey } from '@flotilla/kube';
import type { OverrideNames } from '../overrides/matching-overrides.ts';
import type { LabelledCluster } from '../overrides/rule-clusters.ts';
import type { PlacementState } from '../placement/placement-state.ts';

/** What a decision about one update run depends on. */
export interface RunState {
  readonly family: PlacementFamily;
  readonly run: Readonly<UpdateRun>;
  /** The placement with its snapshots; undefined if it does not exist. */
  readonly parent: PlacementState | undefined;
  /** The bindings of the placement. Most of them need not be read. */
  readonly scheduled: readonly ScheduledBinding[];
  /** Undefined if it does not exist any more. */
  readonly binding: (scheduled: ScheduledBinding) => RunBinding | undefined;
  readonly strategy: Readonly<UpdateStrategy> | undefined;
  readonly cluster: (name: string) => LabelledCluster | undefined;
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
}

/** What the scheduler says in a binding. */
export interface ScheduledBinding {
  readonly key: ObjectKey;
  readonly cluster: string;
  readonly state: Binding['spec']['state'];
  readonly policySnapshot: string;
}

export function scheduledIn({ metadata: { namespace, name = '' }, spec }: Readonly<Binding>): ScheduledBinding {
  const { targetCluster: cluster, state, schedulingPolicySnapshotName: policySnapshot } = spec;
  return { key: { namespace, name }, cluster, state, policySnapshot };
}

/** A binding as the run sees it: what is left to works need not be said again. */
export interface RunBinding {
  readonly binding: Readonly<Binding>;
  /** When it is no longer left to works; undefined if it is not. */
  readonly leftForMs?: number | undefined;
}

export type OverridesOf = (cluster: LabelledCluster) => OverrideNames;

export interface RunSettings {
  /** Whether works runs in this process: bindings get its finalizer with their first resources, and it may say that they are rolled out. */
  readonly isWithWorks: boolean;
  /** Whether a run fails if another one with a different strategy is under way. */
  readonly requiresSameStrategy: boolean;
  /** A cluster that takes longer is called stuck. The run waits on. */
  readonly stuckAfterMs: number;
}
