/** What must not be written about disruptions of a placement, in KubeFleet's words. */
import type { DisruptionBudget, Placement } from '@flotilla/api';
import { aggregate } from '@flotilla/kube';

/** Why no cluster can be evicted from this placement; undefined if one can. */
export function refusedEviction({ metadata, spec }: Placement): string | undefined {
  const { name = '', deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return `cluster resource placement ${name} is being deleted`;
  if (spec.policy?.placementType !== 'PickFixed') return undefined;
  return 'cluster resource placement policy type PickFixed is not supported';
}

/** Why the placement cannot have this budget: the number of clusters of PickAll is not known in advance. */
export function refusedBudget({ spec: budget }: DisruptionBudget, { spec }: Placement): string | undefined {
  if ((spec.policy?.placementType ?? 'PickAll') !== 'PickAll') return undefined;
  const { maxUnavailable, minAvailable } = budget;
  const problems: string[] = [];
  if (maxUnavailable !== undefined) {
    problems.push(
      `cluster resource placement policy type PickAll is not supported with any specified max unavailable ${maxUnavailable}`,
    );
  }
  if (typeof minAvailable === 'string') {
    problems.push(
      `cluster resource placement policy type PickAll is not supported with min available as a percentage ${minAvailable}`,
    );
  }
  return problems.length === 0 ? undefined : aggregate(problems);
}
