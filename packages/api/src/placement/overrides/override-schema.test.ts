import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { testRules, type RuleCase } from '../../rules.testing.ts';
import { ServedKind } from '../../served-kind.testing.ts';
import {
  clusterResourceOverrideDefinition,
  clusterResourceOverrideSnapshotDefinition,
  resourceOverrideDefinition,
  resourceOverrideSnapshotDefinition,
} from './override-schema.ts';

const role = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', name: 'reader' };
const deployment = { group: 'apps', version: 'v1', kind: 'Deployment', name: 'shop' };
const policy = {
  overrideRules: [
    { clusterSelector: { clusterSelectorTerms: [] }, jsonPatchOverrides: [{ op: 'remove', path: '/data' }] },
  ],
};

const clusterSpec = (fields: JsonObject): JsonObject => ({ clusterResourceSelectors: [role], policy, ...fields });
const namespacedSpec = (fields: JsonObject): JsonObject => ({ resourceSelectors: [deployment], policy, ...fields });

const kinds = [
  {
    definition: clusterResourceOverrideDefinition,
    at: 'spec',
    write: (fields: JsonObject) => ({ spec: clusterSpec(fields) }),
  },
  {
    definition: resourceOverrideDefinition,
    at: 'spec',
    write: (fields: JsonObject) => ({ spec: namespacedSpec(fields) }),
  },
  {
    definition: clusterResourceOverrideSnapshotDefinition,
    at: 'spec.overrideSpec',
    write: (fields: JsonObject) => ({ spec: { overrideHash: 'YWJj', overrideSpec: clusterSpec(fields) } }),
  },
  {
    definition: resourceOverrideSnapshotDefinition,
    at: 'spec.overrideSpec',
    write: (fields: JsonObject) => ({ spec: { overrideHash: 'YWJj', overrideSpec: namespacedSpec(fields) } }),
  },
];

for (const { definition, at, write } of kinds) {
  const attempts: readonly RuleCase[] = [
    {
      title: 'no placement is added later',
      refused: { from: write({}), to: write({ placement: { name: 'app' } }) },
      says: `${at}: Invalid value: The placement field is immutable`,
      accepted: { from: write({}), to: write({}) },
    },
    {
      title: 'the placement is not removed',
      refused: { from: write({ placement: { name: 'app' } }), to: write({}) },
      says: `${at}: Invalid value: The placement field is immutable`,
      accepted: {
        from: write({ placement: { name: 'app' } }),
        to: write({ placement: { name: 'app', scope: 'Cluster' } }),
      },
    },
    {
      title: 'the placement does not become another one',
      refused: { from: write({ placement: { name: 'app' } }), to: write({ placement: { name: 'other' } }) },
      says: `${at}: Invalid value: The placement field is immutable`,
      accepted: { create: write({ placement: { name: 'other' } }) },
    },
  ];
  testRules(definition, ['v1', 'v1beta1'], attempts);

  test(`${definition.spec.names.kind} v1alpha1 may change its placement`, () => {
    const kind = new ServedKind(definition, 'v1alpha1');
    for (const { refused } of attempts) assert.deepEqual(kind.refusals(refused), []);
  });

  test(`${definition.spec.names.kind} has the default columns`, () => {
    for (const version of definition.spec.versions) assert.equal(version.additionalPrinterColumns, undefined);
  });
}

testRules(
  clusterResourceOverrideDefinition,
  ['v1', 'v1alpha1', 'v1beta1'],
  [
    {
      title: 'applies to cluster-scoped placements only',
      refused: { create: { spec: clusterSpec({ placement: { name: 'app', scope: 'Namespaced' } }) } },
      says: '<nil>: Invalid value: clusterResourceOverride placement reference cannot be Namespaced scope',
      accepted: { create: { spec: clusterSpec({ placement: { name: 'app' } }) } },
    },
  ],
);

describe('an override', () => {
  const kind = new ServedKind(resourceOverrideDefinition, 'v1beta1');

  test('has the type JSONPatch and a cluster-scoped placement by default', () => {
    const stored = kind.stored({
      spec: namespacedSpec({ placement: { name: 'app' }, policy: { overrideRules: [{ clusterSelector: {} }] } }),
    });
    assert.deepEqual(stored['spec'], {
      resourceSelectors: [deployment],
      placement: { name: 'app', scope: 'Cluster' },
      policy: { overrideRules: [{ clusterSelector: {}, overrideType: 'JSONPatch' }] },
    });
  });

  test('preserves the value of a patch, whatever its type', () => {
    for (const value of ['text', 3, true, ['a', { b: 1 }], { deep: { er: [] } }]) {
      const overrideRules = [{ jsonPatchOverrides: [{ op: 'add', path: '/x', value }], overrideType: 'JSONPatch' }];
      const spec = namespacedSpec({ policy: { overrideRules } });
      assert.deepEqual(kind.stored({ spec })['spec'], spec);
      assert.deepEqual(kind.refusals({ create: { spec } }), []);
    }
  });
});
