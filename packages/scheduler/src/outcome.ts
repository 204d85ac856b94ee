import type { Binding, BindingSpec, ClusterDecision, ConditionState } from '@flotilla/api';
import type { Verdicts } from './verdicts.ts';

/** What to do with the bindings of a placement, and what to report about its clusters. */
export interface SchedulingOutcome {
  /** In the order of writing. Empty if the bindings are as they should be. */
  readonly changes: readonly BindingChange[];
  /** For `status.targetClusters` of the policy snapshot. The previous list itself if nothing in it changed. */
  readonly decisions: readonly ClusterDecision[];
  /** `Scheduled` of the policy snapshot, without its generation. */
  readonly condition: ConditionState;
  /** What was found about every cluster. Nothing is evaluated or printed before it is read. */
  readonly verdicts: Verdicts;
  /**
   * When an eligible cluster stops being eligible if no heartbeat comes, in milliseconds since the epoch. Undefined if no cluster is
   * eligible.
   */
  changesAt(): number | undefined;
}

export type BindingChange = ReleasedBinding | CreatedBinding | PatchedBinding | UnscheduledBinding;

/** A binding that is being deleted no longer needs the scheduler's finalizer. */
export interface ReleasedBinding {
  readonly type: 'release';
  readonly binding: Readonly<Binding>;
}

export interface CreatedBinding {
  readonly type: 'create';
  readonly cluster: string;
  readonly spec: BindingSpec;
  /** Binding of the same cluster that is being deleted, but still has its name. */
  readonly replaces?: Readonly<Binding>;
}

/** The cluster of an existing binding was chosen again. */
export interface PatchedBinding {
  readonly type: 'patch';
  readonly binding: Readonly<Binding>;
  readonly spec: Pick<BindingSpec, 'state' | 'schedulingPolicySnapshotName' | 'clusterDecision'>;
  /** Whether its state is restored, so that the annotation with the previous state has to go. */
  readonly isRestored: boolean;
}

/** The cluster is no longer chosen: the rollout removes its resources. The previous state goes to an annotation. */
export interface UnscheduledBinding {
  readonly type: 'unschedule';
  readonly binding: Readonly<Binding>;
}
