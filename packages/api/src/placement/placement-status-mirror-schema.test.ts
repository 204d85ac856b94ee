import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ServedKind } from '../served-kind.testing.ts';
import { clusterResourcePlacementStatusDefinition as definition } from './placement-schema.ts';

describe('the copy of a status', () => {
  test("has the schema of the placement's status in each version", () => {
    const key = { version: 'v1', kind: 'Secret', name: 'key', envelope: { name: 'box' } };
    const fields = { lastUpdatedTime: '2026-01-01T00:00:00Z', sourceStatus: { selectedResources: [key] } };
    assert.deepEqual(new ServedKind(definition, 'v1').stored(fields)['sourceStatus'], fields.sourceStatus);
    assert.deepEqual(new ServedKind(definition, 'v1beta1').stored(fields)['sourceStatus'], {
      selectedResources: [{ ...key, envelope: { name: 'box', type: 'ConfigMap' } }],
    });
  });

  test('is the object itself, without a status subresource', () => {
    for (const { subresources } of definition.spec.versions) assert.equal(subresources?.status, undefined);
  });

  test('shows its resource snapshot and its age', () => {
    for (const { additionalPrinterColumns: columns = [] } of definition.spec.versions) {
      assert.deepEqual(
        columns.map(({ name, type, jsonPath }) => [name, type, jsonPath]),
        [
          ['Resource-Index', 'string', '.sourceStatus.observedResourceIndex'],
          ['Last-Updated', 'string', '.lastUpdatedTime'],
          ['Age', 'date', '.metadata.creationTimestamp'],
        ],
      );
    }
  });
});
