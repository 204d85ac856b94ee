/** What the scheduler decided about a placement, as far as the decision is about the placement's current policy. */
import {
  conditionOf,
  policySnapshotConditions,
  type ClusterDecision,
  type Condition,
  type Placement,
  type PolicySnapshot,
} from '@flotilla/api';
import { withPlacementDefaults } from '../../family/placement-defaults.ts';
import { schedulePendingText, type Text } from './condition-texts.ts';

export interface Schedule {
  /** `Unknown` while there is no decision about the current policy. */
  readonly status: Condition['status'];
  readonly text: Text;
  readonly selected: readonly ClusterDecision[];
  /** Why clusters that the policy asks for were not found, at most one for each of them. */
  readonly unmet: readonly ClusterDecision[];
}

const pending: Schedule = { status: 'Unknown', text: schedulePendingText, selected: [], unmet: [] };

export function scheduleOf(placement: Readonly<Placement>, snapshot: Readonly<PolicySnapshot> | undefined): Schedule {
  const { conditions, targetClusters = [], observedCRPGeneration = 0 } = snapshot?.status ?? {};
  const scheduled = conditionOf(conditions, policySnapshotConditions.scheduled);
  if (snapshot === undefined || scheduled === undefined || scheduled.status === 'Unknown') return pending;
  if ((scheduled.observedGeneration ?? 0) < (snapshot.metadata.generation ?? 0)) return pending;

  const selected = targetClusters.filter((decision) => decision.selected);
  const wanted = wantedClusters(placement);
  const isObserved = observedCRPGeneration >= (placement.metadata.generation ?? 0);
  if (!isObserved && !stillHolds(scheduled, selected.length, wanted)) return pending;

  const missing = Math.max(0, (wanted ?? selected.length) - selected.length);
  const unmet = targetClusters.filter((decision) => !decision.selected).slice(0, missing);
  const { status, reason, message } = scheduled;
  return { status, text: { reason, message }, selected, unmet };
}

/** Undefined for a policy that takes every cluster that fits. */
function wantedClusters({ spec }: Readonly<Placement>): number | undefined {
  const { placementType, numberOfClusters, clusterNames = [] } = withPlacementDefaults(spec).policy;
  if (placementType === 'PickN') return numberOfClusters;
  return placementType === 'PickFixed' ? clusterNames.length : undefined;
}

/**
 * Whether a decision about an earlier generation is one about this generation, too. The snapshot has the placement's policy, so
 * only the number of clusters may differ: it is not part of the policy's hash. KubeFleet shows SchedulePending, and no clusters,
 * after every change of the spec.
 */
function stillHolds({ status }: Condition, selected: number, wanted: number | undefined): boolean {
  return wanted === undefined || (status === 'True' ? selected === wanted : selected < wanted);
}
