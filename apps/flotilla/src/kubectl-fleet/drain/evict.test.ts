import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Condition } from '@flotilla/api';
import { verdictOn } from './evict.ts';

function outcomeOf(...conditions: readonly (readonly [type: string, status: Condition['status'], message?: string])[]) {
  const eviction = {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'ClusterResourcePlacementEviction',
    metadata: { name: 'e' },
    spec: { placementName: 'web', clusterName: 'a' },
    status: {
      conditions: conditions.map(([type, status, message = '']) => ({
        type,
        status,
        message,
        reason: 'Tested',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  };
  return verdictOn(eviction)?.outcome;
}

describe('an eviction', () => {
  test('is open until the hub has decided', () => {
    assert.equal(outcomeOf(), undefined);
    assert.equal(outcomeOf(['Valid', 'True']), undefined);
    assert.equal(outcomeOf(['Valid', 'True'], ['Executed', 'True']), 'executed');
    assert.equal(outcomeOf(['Valid', 'True'], ['Executed', 'False']), 'refused');
  });

  // KubeFleet's plugin compares these sentences with the reason, and calls the drain unsuccessful.
  test('that came too late does not fail a drain', () => {
    const late = (message: string) => outcomeOf(['Valid', 'False', `${message} targeted by eviction`]);
    assert.equal(late('Failed to find ClusterResourcePlacement'), 'gone');
    assert.equal(late('Found deleting ClusterResourcePlacement'), 'gone');
    assert.equal(late('Failed to find scheduler decision for placement in cluster'), 'gone');
    assert.equal(late('Found ClusterResourcePlacement with PickFixed placement type'), 'refused');
  });
});
