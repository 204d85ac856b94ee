import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlacementPolicy } from '@flotilla/api';
import { policyHashOf } from './policy-hash.ts';

/** Hashes of Go's encoder over KubeFleet's types. */
const hashes: readonly [string, PlacementPolicy | undefined, string][] = [
  ['no policy', undefined, '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'],
  ['PickAll', { placementType: 'PickAll' }, '8cc57dee59684ff88766e26936c8fb125f4bde234a2beb5c54aded4569db0d5a'],
  [
    'PickFixed',
    { clusterNames: ['c1', 'c2'], placementType: 'PickFixed' },
    'a6bb560f03521831ff2b48fcd32350ff643f82d7419a8391488df487b1413696',
  ],
  [
    'a policy with every field',
    {
      affinity: {
        clusterAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              preference: {
                propertySorter: { sortOrder: 'Descending', name: 'resources.kubernetes-fleet.io/total-cpu' },
              },
              weight: 20,
            },
            { preference: { labelSelector: { matchLabels: { '9': 'b<&>', '10': 'a' } } }, weight: -5 },
          ],
          requiredDuringSchedulingIgnoredDuringExecution: {
            clusterSelectorTerms: [
              {
                labelSelector: {
                  matchExpressions: [
                    { key: 'env', operator: 'In', values: ['prod', 'ä'] },
                    { key: 'x', operator: 'Exists' },
                  ],
                  matchLabels: { b: '1', a: '2' },
                },
                propertySelector: {
                  matchExpressions: [{ name: 'kubernetes-fleet.io/node-count', operator: 'Ge', values: ['3'] }],
                },
              },
            ],
          },
        },
      },
      numberOfClusters: 3,
      placementType: 'PickN',
      tolerations: [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }, { operator: 'Exists' }],
      topologySpreadConstraints: [
        { maxSkew: 2, topologyKey: 'region', whenUnsatisfiable: 'ScheduleAnyway' },
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
      ],
    },
    'eb0802681b07e1feaff3f83caa52227a2029ee016032426f3bf301800c025f0e',
  ],
  [
    'empty lists',
    {
      placementType: 'PickAll',
      affinity: {
        clusterAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms: [] },
          preferredDuringSchedulingIgnoredDuringExecution: [],
        },
      },
      tolerations: [],
      clusterNames: [],
    },
    '01f4b6022cfdef82862068077f6ed3f22abe3cad851bf534848013357d6463d3',
  ],
  [
    'empty selectors',
    {
      placementType: 'PickAll',
      affinity: {
        clusterAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            clusterSelectorTerms: [
              { labelSelector: { matchLabels: {}, matchExpressions: [] } },
              {},
              { propertySelector: { matchExpressions: [] } },
            ],
          },
        },
      },
    },
    '137081382f39562acadad0c650249685c56493052b66b9462df573e2300c7f69',
  ],
];

for (const [what, policy, hex] of hashes) {
  test(`the hash of ${what} is KubeFleet's, as digits in base64`, () => {
    assert.equal(policyHashOf(policy), btoa(hex));
  });
}

test('the hash does not depend on the number of clusters', () => {
  assert.equal(
    policyHashOf({ placementType: 'PickN', numberOfClusters: 1 }),
    policyHashOf({ placementType: 'PickN', numberOfClusters: 2 }),
  );
});
