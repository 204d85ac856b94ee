import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { testRules, type RuleCase } from '../rules.testing.ts';
import { ServedKind, type Attempt } from '../served-kind.testing.ts';
import { clusterResourcePlacementDefinition, resourcePlacementDefinition } from './placement-schema.ts';

const twins = [clusterResourcePlacementDefinition, resourcePlacementDefinition];
const versions = ['v1', 'v1beta1'];

const configMap = { group: '', version: 'v1', kind: 'ConfigMap', name: 'settings' };
const namespace = { group: '', version: 'v1', kind: 'Namespace', name: 'shop' };
const selective = { ...namespace, selectionScope: 'NamespaceWithResourceSelectors' };
const byLabel = { matchLabels: { app: 'shop' } };

const placement = (spec: JsonObject): JsonObject => ({ spec: { resourceSelectors: [configMap], ...spec } });
const create = (spec: JsonObject): Attempt => ({ create: placement(spec) });
const change = (from: JsonObject, to: JsonObject): Attempt => ({ from: placement(from), to: placement(to) });
const selecting = (...resourceSelectors: JsonObject[]): Attempt => create({ resourceSelectors });
const tolerating = (toleration: JsonObject): Attempt => create({ policy: { tolerations: [toleration] } });

const both: readonly RuleCase[] = [
  {
    title: 'a policy can be added and changed, but not removed',
    refused: change({ policy: { placementType: 'PickAll' } }, {}),
    says: 'spec: Invalid value: policy cannot be removed once set',
    accepted: change({}, { policy: { placementType: 'PickAll' } }),
  },
  {
    title: 'at most one namespace has NamespaceWithResourceSelectors',
    refused: selecting(selective, { ...selective, name: 'shop-2' }),
    says: [
      'spec: Invalid value: only one namespace selector with NamespaceWithResourceSelectors mode is allowed',
      'spec: Invalid value: namespace selector with NamespaceWithResourceSelectors mode must select by name (not by label)',
      'spec: Invalid value: when using NamespaceWithResourceSelectors mode, only one namespace selector is allowed (cannot mix with other namespace selectors)',
    ],
    accepted: selecting(selective, configMap),
  },
  {
    title: 'a namespace with NamespaceWithResourceSelectors has a name',
    refused: selecting({ group: '', version: 'v1', kind: 'Namespace', selectionScope: selective.selectionScope }),
    says: 'spec: Invalid value: namespace selector with NamespaceWithResourceSelectors mode must select by name (not by label)',
    accepted: selecting(selective),
  },
  {
    title: 'a namespace with NamespaceWithResourceSelectors is the only namespace',
    refused: selecting(selective, { ...namespace, name: 'other' }),
    says: 'spec: Invalid value: when using NamespaceWithResourceSelectors mode, only one namespace selector is allowed (cannot mix with other namespace selectors)',
    accepted: selecting(namespace, { ...namespace, name: 'other' }),
  },
  {
    title: 'resources are selected by name or by label',
    refused: selecting({ ...configMap, labelSelector: byLabel }),
    says: 'spec.resourceSelectors: Invalid value: name and labelSelector are mutually exclusive in a resource selector',
    accepted: selecting({ ...configMap, name: '', labelSelector: byLabel }),
  },
  {
    title: 'the type of a policy is immutable',
    refused: change({ policy: { placementType: 'PickAll' } }, { policy: { placementType: 'PickFixed' } }),
    says: 'spec.policy: Invalid value: placement type is immutable',
    accepted: change(
      { policy: { placementType: 'PickN', numberOfClusters: 1 } },
      { policy: { placementType: 'PickN', numberOfClusters: 2 } },
    ),
  },
  {
    title: 'PickFixed has names and nothing else',
    refused: create({ policy: { placementType: 'PickFixed', clusterNames: ['oslo'], tolerations: [] } }),
    says: 'spec.policy: Invalid value: affinity, numberOfClusters, topologySpreadConstraints, and tolerations cannot be set when placementType is PickFixed',
    accepted: create({ policy: { placementType: 'PickFixed', clusterNames: ['oslo'] } }),
  },
  {
    title: 'PickAll has no names, number or spread',
    refused: create({ policy: { placementType: 'PickAll', numberOfClusters: 1 } }),
    says: 'spec.policy: Invalid value: clusterNames, numberOfClusters, and topologySpreadConstraints cannot be set when placementType is PickAll',
    accepted: create({ policy: { placementType: 'PickAll', affinity: {}, tolerations: [] } }),
  },
  {
    title: 'PickN has a number and no names',
    refused: create({ policy: { placementType: 'PickN' } }),
    says: 'spec.policy: Invalid value: clusterNames cannot be set and numberOfClusters must be set when placementType is PickN',
    accepted: create({ policy: { placementType: 'PickN', numberOfClusters: 0 } }),
  },
  {
    title: 'a toleration with Exists has no value',
    refused: tolerating({ key: 'gpu', operator: 'Exists', value: 'yes' }),
    says: 'spec.policy.tolerations: Invalid value: value must be empty when operator is Exists',
    accepted: tolerating({ key: 'gpu', operator: 'Exists', value: '' }),
  },
  {
    title: 'a toleration without a key has the operator Exists',
    refused: tolerating({ value: 'yes' }),
    says: 'spec.policy.tolerations: Invalid value: operator must be Exists when key is empty',
    accepted: tolerating({ operator: 'Exists' }),
  },
  {
    title: 'an External rollout strategy is immutable',
    refused: change({ strategy: { type: 'External' } }, { strategy: { type: 'RollingUpdate' } }),
    says: 'spec.strategy.type: Invalid value: "RollingUpdate": cannot change rollout strategy type from \'External\' to other types',
    accepted: change({ strategy: { type: 'RollingUpdate' } }, { strategy: { type: 'External' } }),
  },
];

const forWholeHub: readonly RuleCase[] = [
  {
    title: 'NamespaceAccessible needs exactly one selected namespace, of any group',
    refused: create({ statusReportingScope: 'NamespaceAccessible' }),
    says: "spec: Invalid value: when statusReportingScope is NamespaceAccessible, exactly one resourceSelector with kind 'Namespace' is required",
    accepted: create({
      statusReportingScope: 'NamespaceAccessible',
      resourceSelectors: [{ ...namespace, group: 'example.com' }],
    }),
  },
  {
    title: 'statusReportingScope is immutable',
    refused: change(
      { resourceSelectors: [namespace] },
      { resourceSelectors: [namespace], statusReportingScope: 'NamespaceAccessible' },
    ),
    says: 'spec: Invalid value: statusReportingScope is immutable',
    accepted: change({}, { statusReportingScope: 'ClusterScopeOnly' }),
  },
];

const reportingBack = (reportBackStrategy: JsonObject): Attempt => create({ strategy: { reportBackStrategy } });

const sinceV1beta1: readonly RuleCase[] = [
  {
    title: 'the Mirror report-back type needs a destination',
    refused: reportingBack({ type: 'Mirror' }),
    says: 'spec.strategy.reportBackStrategy: Invalid value: "object": no such key: destination evaluating rule: when reportBackStrategy.type is \'Mirror\', a destination must be specified',
    accepted: reportingBack({ type: 'Mirror', destination: 'WorkAPI' }),
  },
];

for (const twin of twins) {
  testRules(twin, versions, both);
  testRules(twin, ['v1beta1'], sinceV1beta1);
}
testRules(clusterResourcePlacementDefinition, versions, forWholeHub);

test('a ResourcePlacement may have any statusReportingScope, because it has no effect', () => {
  const { refused } = forWholeHub[0] as RuleCase;
  for (const version of versions) {
    assert.deepEqual(new ServedKind(resourcePlacementDefinition, version).refusals(refused), []);
  }
});

for (const twin of twins) {
  const { kind } = twin.spec.names;

  describe(`a minimal ${kind}`, () => {
    test('gets these defaults', () => {
      assert.deepEqual(new ServedKind(twin, 'v1beta1').stored({ spec: { resourceSelectors: [configMap] } })['spec'], {
        resourceSelectors: [{ ...configMap, selectionScope: 'NamespaceWithResources' }],
        revisionHistoryLimit: 10,
        statusReportingScope: 'ClusterScopeOnly',
      });
    });

    test('gets these defaults in nested objects', () => {
      const spec = {
        policy: { tolerations: [{ key: 'gpu' }], topologySpreadConstraints: [{ topologyKey: 'region' }] },
        strategy: { rollingUpdate: {}, applyStrategy: {}, deleteStrategy: {}, reportBackStrategy: {} },
      };
      const { policy, strategy } = new ServedKind(twin, 'v1beta1').stored(placement(spec))['spec'] as JsonObject;
      assert.deepEqual(policy, {
        placementType: 'PickAll',
        tolerations: [{ key: 'gpu', operator: 'Equal' }],
        topologySpreadConstraints: [{ topologyKey: 'region', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
      });
      assert.deepEqual(strategy, {
        type: 'RollingUpdate',
        rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%', unavailablePeriodSeconds: 60 },
        applyStrategy: {
          type: 'ClientSideApply',
          comparisonOption: 'PartialComparison',
          whenToApply: 'Always',
          whenToTakeOver: 'Always',
        },
        deleteStrategy: { propagationPolicy: 'Delete' },
        reportBackStrategy: { type: 'Disabled' },
      });
    });
  });

  describe(`${kind} written through v1`, () => {
    const v1 = new ServedKind(twin, 'v1');

    test("keeps what KubeFleet's v1 drops", () => {
      const strategy = {
        type: 'RollingUpdate',
        deleteStrategy: { propagationPolicy: 'Abandon' },
        reportBackStrategy: { type: 'Mirror', destination: 'WorkAPI' },
      };
      assert.deepEqual((v1.stored(placement({ strategy }))['spec'] as JsonObject)['strategy'], strategy);
    });

    test('does not accept a ConfigMap as an envelope, and has no default type', () => {
      const wrappedIn = (envelope: JsonObject): JsonObject => ({
        ...placement({}),
        status: { selectedResources: [{ version: 'v1', kind: 'Secret', name: 'key', envelope }] },
      });
      const selected = (stored: JsonObject): unknown => (stored['status'] as JsonObject)['selectedResources'];
      assert.deepEqual(selected(v1.stored(wrappedIn({ name: 'box' }))), [
        { version: 'v1', kind: 'Secret', name: 'key', envelope: { name: 'box' } },
      ]);
      assert.deepEqual(selected(new ServedKind(twin, 'v1beta1').stored(wrappedIn({ name: 'box' }))), [
        { version: 'v1', kind: 'Secret', name: 'key', envelope: { name: 'box', type: 'ConfigMap' } },
      ]);
      assert.equal(
        v1.refusals({ create: wrappedIn({ name: 'box', type: 'ConfigMap' }) })[0],
        'status.selectedResources[0].envelope.type: Unsupported value: "ConfigMap": supported values: "ClusterResourceEnvelope", "ResourceEnvelope"',
      );
    });
  });

  test(`kubectl shows a ${kind} with the conditions of its own kind`, () => {
    for (const { name, additionalPrinterColumns: columns = [] } of twin.spec.versions) {
      assert.deepEqual(
        columns.map((column) => [column.name, column.jsonPath, column.priority ?? 0]),
        [
          ['Gen', '.metadata.generation', 0],
          ['Type', '.spec.policy.placementType', 1],
          ['Scheduled', `.status.conditions[?(@.type=="${kind}Scheduled")].status`, 0],
          ['Scheduled-Gen', `.status.conditions[?(@.type=="${kind}Scheduled")].observedGeneration`, 0],
          ['Work-Synchronized', `.status.conditions[?(@.type=="${kind}WorkSynchronized")].status`, 1],
          ['Work-Synchronized-Gen', `.status.conditions[?(@.type=="${kind}WorkSynchronized")].observedGeneration`, 1],
          ['Available', `.status.conditions[?(@.type=="${kind}Available")].status`, 0],
          ['Available-Gen', `.status.conditions[?(@.type=="${kind}Available")].observedGeneration`, 0],
          ['Age', '.metadata.creationTimestamp', 0],
        ],
        name,
      );
    }
  });
}
