import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlacementPolicy, PolicySnapshot, PolicySnapshotStatus } from '@flotilla/api';
import { dependenciesOf } from './policy-dependencies.ts';

interface Changes {
  readonly policy?: Partial<PlacementPolicy>;
  readonly isLatest?: boolean;
  readonly namespace?: string;
  readonly status?: PolicySnapshotStatus;
}

function dependencies({ policy, isLatest = true, namespace, status }: Changes): string[] {
  const snapshot: PolicySnapshot = {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'ClusterSchedulingPolicySnapshot',
    metadata: {
      name: 'shop-0',
      generation: 1,
      labels: { 'kubernetes-fleet.io/is-latest-snapshot': String(isLatest) },
      ...(namespace && { namespace }),
    },
    spec: { policyHash: '', ...(policy && { policy: policy as PlacementPolicy }) },
    ...(status && { status }),
  };
  return [...dependenciesOf(snapshot)].sort();
}

function scheduled(status: 'True' | 'False', observedGeneration: number): PolicySnapshotStatus {
  const said = { reason: 'Said', message: '', lastTransitionTime: '2026-01-01T12:00:00Z' };
  return { observedCRPGeneration: 1, conditions: [{ type: 'Scheduled', status, observedGeneration, ...said }] };
}

const terms: PlacementPolicy['affinity'] = {
  clusterAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      clusterSelectorTerms: [
        { labelSelector: { matchLabels: { region: 'west' } } },
        {
          labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
          propertySelector: { matchExpressions: [{ name: 'a.io/nodes', operator: 'Gt', values: ['3'] }] },
        },
      ],
    },
    preferredDuringSchedulingIgnoredDuringExecution: [
      { weight: 1, preference: { labelSelector: { matchLabels: { unused: 'x' } } } },
    ],
  },
};
const ofTerms = ['clusters', 'label/region', 'label/tier', 'property/a.io/nodes'];

describe('a placement depends on', () => {
  test('all clusters if it picks all', () => {
    assert.deepEqual(dependencies({}), ['clusters']);
    assert.deepEqual(dependencies({ policy: { placementType: 'PickAll' }, status: scheduled('True', 1) }), [
      'clusters',
    ]);
  });

  test('the labels and properties that its policy requires, not on those that it prefers', () => {
    assert.deepEqual(dependencies({ policy: { placementType: 'PickAll', affinity: terms } }), ofTerms);
    const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' } as const;
    assert.deepEqual(
      dependencies({ policy: { placementType: 'PickN', affinity: terms, topologySpreadConstraints: [spread] } }),
      [...ofTerms, 'label/zone'].sort(),
    );
  });

  test('nothing once it has the clusters that it wants', () => {
    const policy: Partial<PlacementPolicy> = { placementType: 'PickN', affinity: terms };
    assert.deepEqual(dependencies({ policy, status: scheduled('True', 1) }), []);
    assert.deepEqual(dependencies({ policy, status: scheduled('False', 1) }), ofTerms);
    assert.deepEqual(dependencies({ policy, status: scheduled('True', 0) }), ofTerms);
  });

  test('the clusters that it names and does not have', () => {
    const policy: Partial<PlacementPolicy> = { placementType: 'PickFixed', clusterNames: ['a', 'b', 'c'] };
    assert.deepEqual(dependencies({ policy }), ['cluster/a', 'cluster/b', 'cluster/c']);
    const targetClusters = [
      { clusterName: 'a', selected: true, reason: '' },
      { clusterName: 'b', selected: false, reason: '' },
    ];
    assert.deepEqual(dependencies({ policy, status: { observedCRPGeneration: 1, targetClusters } }), [
      'cluster/b',
      'cluster/c',
    ]);
  });

  test('its namespace on the clusters', () => {
    assert.deepEqual(dependencies({ namespace: 'shop' }), ['clusters', 'namespace/shop']);
  });

  test('nothing by a snapshot that is not the latest', () => {
    assert.deepEqual(dependencies({ isLatest: false }), []);
  });
});
