import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { ServedKind } from '../served-kind.testing.ts';
import { clusterResourceBindingDefinition, resourceBindingDefinition } from './binding-schema.ts';

const binding = (fields: JsonObject = {}): JsonObject => ({
  spec: {
    state: 'Scheduled',
    resourceSnapshotName: '',
    schedulingPolicySnapshotName: 'app-0',
    targetCluster: 'oslo',
    clusterDecision: { clusterName: 'oslo', selected: true, reason: 'picked by scheduling policy' },
  },
  ...fields,
});

const failed = (envelope: JsonObject): JsonObject => ({
  version: 'v1',
  kind: 'Secret',
  name: 'key',
  envelope,
  condition: {
    type: 'Applied',
    status: 'False',
    reason: 'Failed',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  },
});

for (const twin of [clusterResourceBindingDefinition, resourceBindingDefinition]) {
  describe(`a ${twin.spec.names.kind}`, () => {
    const kind = new ServedKind(twin, 'v1beta1');

    test('may be pending without a snapshot', () => {
      assert.deepEqual(kind.refusals({ create: binding() }), []);
    });

    test('reports a hundred failures at most', () => {
      const failedPlacements = Array.from({ length: 101 }, () => failed({ name: 'box' }));
      assert.equal(
        kind.refusals({ create: binding({ status: { failedPlacements } }) })[0],
        'status.failedPlacements: Too many: 101: must have at most 100 items',
      );
    });

    test('has ConfigMap as the default type of an envelope', () => {
      const status = { failedPlacements: [failed({ name: 'box' })] };
      assert.deepEqual(kind.stored(binding({ status }))['status'], {
        failedPlacements: [failed({ name: 'box', type: 'ConfigMap' })],
      });
    });
  });

  test(`kubectl shows the progress of a ${twin.spec.names.kind}`, () => {
    for (const { additionalPrinterColumns: columns = [] } of twin.spec.versions) {
      assert.deepEqual(
        columns.map(({ name, jsonPath, priority = 0 }) => [name, jsonPath, priority]),
        [
          ['WorkSynchronized', '.status.conditions[?(@.type=="WorkSynchronized")].status', 0],
          ['ResourcesApplied', '.status.conditions[?(@.type=="Applied")].status', 0],
          ['ResourceAvailable', '.status.conditions[?(@.type=="Available")].status', 1],
          ['Age', '.metadata.creationTimestamp', 0],
        ],
      );
    }
  });
}

test('a ClusterResourceBinding in v1 has no default type of an envelope', () => {
  const status = {
    failedPlacements: [failed({ name: 'box' })],
    driftedPlacements: [{ version: 'v1', kind: 'Secret', name: 'key', envelope: { name: 'box' } }],
    diffedPlacements: [{ version: 'v1', kind: 'Secret', name: 'key', envelope: { name: 'box' } }],
  };
  const v1 = new ServedKind(clusterResourceBindingDefinition, 'v1');
  assert.deepEqual(v1.stored(binding({ status }))['status'], status);
});
