import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterFamily, type Condition, type PlacementStatus } from '@flotilla/api';
import { placementRows } from './cluster-state.ts';

function condition(type: string, status: Condition['status'], message = ''): Condition {
  return { type, status, message, reason: 'Tested', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

function statesOf(status: PlacementStatus): string[] {
  const spec = { resourceSelectors: [], revisionHistoryLimit: 10, statusReportingScope: 'ClusterScopeOnly' as const };
  const placement = { apiVersion: '', kind: '', metadata: { name: 'web' }, spec, status };
  return placementRows(clusterFamily, placement).map(
    ({ cluster, state, message }) => `${cluster}: ${state} ${message}`,
  );
}

describe('a placement on a cluster', () => {
  test('is as far as the first condition that does not hold, whatever the order of the conditions', () => {
    const placementStatuses = [
      { clusterName: 'a', conditions: [condition('Available', 'True'), condition('Scheduled', 'True')] },
      { clusterName: 'b', conditions: [condition('Available', 'False', 'slow'), condition('Applied', 'False', 'no')] },
      { clusterName: 'c', conditions: [condition('Scheduled', 'True'), condition('DiffReported', 'True')] },
      { conditions: [condition('Scheduled', 'False', 'too few clusters')] },
    ];
    assert.deepEqual(statesOf({ placementStatuses }), [
      'a: Available ',
      'b: not Applied no',
      'c: DiffReported ',
      ': not Scheduled too few clusters',
    ]);
  });

  test('is not scheduled where the placement has no clusters', () => {
    const conditions = [condition('ClusterResourcePlacementScheduled', 'False', 'invalid selector')];
    assert.deepEqual(statesOf({ conditions }), [': not Scheduled invalid selector']);
    assert.deepEqual(statesOf({}), [': not Scheduled ']);
  });
});
