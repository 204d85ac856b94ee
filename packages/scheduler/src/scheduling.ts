import {
  policySnapshotConditions,
  policySnapshotReasons,
  type ClusterDecision,
  type ConditionState,
} from '@flotilla/api';
import type { ClassifiedBindings } from './classified-bindings.ts';
import type { ClusterView } from './cluster-view.ts';
import type { CompiledPolicy, RuleContext } from './compiled-policy.ts';
import type { BindingChange } from './outcome.ts';
import type { Verdicts } from './verdicts.ts';

/** All that the decision of one placement type reads. */
export interface Scheduling {
  readonly policySnapshotName: string;
  readonly policy: CompiledPolicy;
  readonly numberOfClusters: number | undefined;
  readonly view: ClusterView;
  readonly bindings: ClassifiedBindings;
  readonly context: RuleContext;
  /** The decisions in the status of the snapshot. */
  readonly previous: readonly ClusterDecision[];
}

/** The result of one placement type. */
export interface Result {
  readonly changes: readonly BindingChange[];
  readonly decisions: readonly ClusterDecision[];
  readonly condition: ConditionState;
  readonly verdicts: Verdicts;
}

/** `Scheduled` of the policy snapshot, with KubeFleet's sentences. What is wrong with the policy is added to them. */
export function scheduledCondition(isFulfilled: boolean, found: number, problems: readonly string[]): ConditionState {
  const message = isFulfilled
    ? `found all cluster needed as specified by the scheduling policy, found ${found} cluster(s)`
    : `could not find all clusters needed as specified by the scheduling policy, found ${found} cluster(s) instead`;
  return {
    type: policySnapshotConditions.scheduled,
    status: isFulfilled ? 'True' : 'False',
    reason: isFulfilled ? policySnapshotReasons.fulfilled : policySnapshotReasons.unfulfilled,
    message: [message, ...problems].join('; ').slice(0, maxMessage),
  };
}

/** What the schema of a condition allows. */
const maxMessage = 32_768;
