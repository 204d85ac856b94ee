/** The conditions of an OCM Placement. Reasons and sentences are OCM's. */
import {
  ocmPlacementConditions,
  placementMisconfiguredReasons,
  placementSatisfiedReasons,
  type ConditionState,
} from '@flotilla/api';
import type { Problem } from './outcome.ts';

export interface PlacementFindings {
  /** `spec.clusterSets`. */
  readonly requestedSets: readonly string[];
  readonly eligibleSets: readonly string[];
  /** Of sets that exist. */
  readonly bindings: number;
  readonly available: number;
  readonly selected: number;
  readonly unscheduled: number;
  readonly problem: Problem | undefined;
}

export function misconfiguredCondition(problem: Problem | undefined): ConditionState {
  const type = ocmPlacementConditions.misconfigured;
  if (problem?.code !== 'Misconfigured') {
    return {
      type,
      status: 'False',
      reason: placementMisconfiguredReasons.succeeded,
      message: 'Placement configurations check pass',
    };
  }
  const message = `${problem.plugin}:${problem.message}`.slice(0, maxMessage);
  return { type, status: 'True', reason: placementMisconfiguredReasons.misconfigured, message };
}

/** What the schema of a condition allows. */
const maxMessage = 32_768;

export function satisfiedCondition(findings: PlacementFindings): ConditionState {
  const type = ocmPlacementConditions.satisfied;
  const unsatisfied = (reason: string, message: string): ConditionState => ({
    type,
    status: 'False',
    reason,
    message: message.slice(0, maxMessage),
  });
  const { requestedSets, eligibleSets, bindings, available, selected, unscheduled } = findings;
  const reasons = placementSatisfiedReasons;
  if (bindings === 0) {
    return unsatisfied(reasons.noBindings, 'No valid ManagedClusterSetBindings found in placement namespace');
  }
  if (eligibleSets.length === 0) {
    const names = requestedSets.join(',');
    return unsatisfied(reasons.noIntersection, `None of ManagedClusterSets [${names}] is bound to placement namespace`);
  }
  if (available === 0) {
    const names = eligibleSets.join(',');
    return unsatisfied(reasons.allSetsEmpty, `All ManagedClusterSets [${names}] have no member ManagedCluster`);
  }
  if (selected === 0) {
    return unsatisfied(reasons.noMatch, 'No ManagedCluster matches any of the cluster predicate');
  }
  if (unscheduled > 0) return unsatisfied(reasons.notAllScheduled, `${unscheduled} cluster decisions unscheduled`);
  return { type, status: 'True', reason: reasons.allScheduled, message: 'All cluster decisions scheduled' };
}
