import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { testRules } from '../rules.testing.ts';
import { ServedKind } from '../served-kind.testing.ts';
import {
  clusterResourceSnapshotDefinition,
  clusterSchedulingPolicySnapshotDefinition,
  resourceSnapshotDefinition,
  schedulingPolicySnapshotDefinition,
} from './snapshots-schema.ts';
import { clusterResourceEnvelopeDefinition, resourceEnvelopeDefinition } from './placement-schema.ts';

const versionsOf = ({ spec }: CustomResourceDefinition): string[] => spec.versions.map(({ name }) => name);
const policy = (fields: JsonObject): JsonObject => ({ spec: { policyHash: 'YWJj', policy: fields } });
const tolerating = (toleration: JsonObject) => ({ create: policy({ tolerations: [toleration] }) });

for (const twin of [clusterSchedulingPolicySnapshotDefinition, schedulingPolicySnapshotDefinition]) {
  testRules(twin, versionsOf(twin), [
    {
      title: 'a toleration with Exists has no value',
      refused: tolerating({ key: 'gpu', operator: 'Exists', value: 'yes' }),
      says: 'spec.policy.tolerations: Invalid value: value must be empty when operator is Exists',
      accepted: tolerating({ key: 'gpu', operator: 'Exists' }),
    },
    {
      title: 'a toleration without a key has the operator Exists',
      refused: tolerating({ value: 'yes' }),
      says: 'spec.policy.tolerations: Invalid value: operator must be Exists when key is empty',
      accepted: tolerating({ operator: 'Exists' }),
    },
  ]);

  test(`a ${twin.spec.names.kind} copies a policy without validating it`, () => {
    const kind = new ServedKind(twin, 'v1beta1');
    assert.deepEqual(kind.refusals({ create: policy({ placementType: 'PickN', clusterNames: ['oslo'] }) }), []);
    assert.deepEqual(
      kind.refusals({ from: policy({ placementType: 'PickAll' }), to: policy({ placementType: 'PickFixed' }) }),
      [],
    );
  });
}

describe('resources', () => {
  const shop = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shop' }, spec: { any: [{ thing: 1 }] } };

  for (const twin of [clusterResourceSnapshotDefinition, resourceSnapshotDefinition]) {
    test(`are preserved in a ${twin.spec.names.kind}`, () => {
      const fields = { spec: { selectedResources: [shop] } };
      const kind = new ServedKind(twin, 'v1beta1');
      assert.deepEqual(kind.stored(fields)['spec'], fields.spec);
      assert.deepEqual(kind.refusals({ create: fields }), []);
    });
  }

  for (const twin of [clusterResourceEnvelopeDefinition, resourceEnvelopeDefinition]) {
    const kind = new ServedKind(twin, 'v1beta1');

    test(`are preserved in a ${twin.spec.names.kind}`, () => {
      assert.deepEqual(kind.stored({ data: { 'shop.yaml': shop } })['data'], { 'shop.yaml': shop });
    });

    test(`are in a ${twin.spec.names.kind}, one to fifty of them`, () => {
      const boxes = (count: number): JsonObject =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.yaml`, shop]));
      assert.equal(kind.refusals({ create: { data: {} } }).length, 1);
      assert.deepEqual(kind.refusals({ create: { data: boxes(50) } }), []);
      assert.equal(kind.refusals({ create: { data: boxes(51) } }).length, 1);
    });
  }
});

test('namespaced snapshots and bindings, and envelopes, have one version', () => {
  for (const definition of [
    schedulingPolicySnapshotDefinition,
    resourceSnapshotDefinition,
    clusterResourceEnvelopeDefinition,
    resourceEnvelopeDefinition,
  ]) {
    assert.deepEqual(versionsOf(definition), ['v1beta1']);
  }
  for (const definition of [clusterSchedulingPolicySnapshotDefinition, clusterResourceSnapshotDefinition]) {
    assert.deepEqual(versionsOf(definition), ['v1', 'v1beta1']);
  }
});

test('kubectl shows the generation and age of snapshots', () => {
  for (const { spec } of [clusterSchedulingPolicySnapshotDefinition, resourceSnapshotDefinition]) {
    for (const { additionalPrinterColumns: columns = [] } of spec.versions) {
      assert.deepEqual(
        columns.map(({ name, jsonPath }) => [name, jsonPath]),
        [
          ['Gen', '.metadata.generation'],
          ['Age', '.metadata.creationTimestamp'],
        ],
      );
    }
  }
});
