import assert from 'node:assert/strict';
import type { ClusterSelectorTerm, PlacementPolicy } from '@flotilla/api';
import type { SchedulingRequest } from '../scheduler.ts';
import { aCluster, schedule, type ClusterParts } from '../scheduling.testing.ts';
import type { Rejection } from './rule.ts';

/** What a PickAll placement says about one cluster; undefined if it chooses it. */
export function rejectionOf(
  parts: ClusterParts,
  policy: Partial<PlacementPolicy> = {},
  request: Partial<SchedulingRequest> = {},
): Rejection | undefined {
  const { verdicts, decisions, changes } = schedule({
    policy: { ...policy, placementType: 'PickAll' },
    clusters: [aCluster('sea', parts)],
    ...request,
  });
  const verdict = verdicts.of('sea');
  // The snapshot's status says the same, and the bindings follow.
  const [decision] = decisions;
  assert.equal(decision?.selected, verdict?.outcome === 'Picked');
  assert.equal(changes.length, verdict?.outcome === 'Picked' ? 1 : 0);
  if (verdict?.rejection) {
    assert.equal(decision?.reason, `ClusterUnschedulable, ${verdict.rejection.reasons.join(', ')}`);
  }
  return verdict?.rejection;
}

export function requiring(...clusterSelectorTerms: ClusterSelectorTerm[]): Partial<PlacementPolicy> {
  return {
    affinity: { clusterAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms } } },
  };
}

export function property(name: string, operator: string, ...values: string[]): ClusterSelectorTerm {
  return { propertySelector: { matchExpressions: [{ name, operator, values }] } };
}
