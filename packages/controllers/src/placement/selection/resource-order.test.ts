import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareKinds, compareNames } from './resource-order.ts';

test('resources are in the order of snapshots: known kinds by rank, others by kind, then by name', () => {
  const kinds = [
    '/v1/Pod',
    'z.example.com/v1/Aardvark',
    'a.example.com/v1/Zebra',
    '/v1/Namespace',
    'apps/v1/Deployment',
    '/v1/Service',
    'serving.knative.dev/v1/Service',
    'a.example.com/v1/Ant',
    '/v1/Unknown',
    'scheduling.k8s.io/v1/PriorityClass',
    '/v1/ConfigMap',
  ].map((text) => {
    const [group = '', version = '', kind = ''] = text.split('/');
    return { group, version, kind };
  });
  assert.deepEqual(
    kinds.toSorted(compareKinds).map(({ group, kind }) => `${group}/${kind}`),
    [
      'scheduling.k8s.io/PriorityClass',
      '/Namespace',
      '/ConfigMap',
      'serving.knative.dev/Service',
      '/Service',
      '/Pod',
      'apps/Deployment',
      '/Unknown',
      'a.example.com/Ant',
      'a.example.com/Zebra',
      'z.example.com/Aardvark',
    ],
  );
  const names = [
    { name: 'b' },
    { namespace: 'a', name: 'c' },
    { name: 'B' },
    { namespace: 'a-b', name: 'a' },
    { name: '🐟' },
    { name: '\uffee' },
  ];
  assert.deepEqual(
    names.toSorted(compareNames).map(({ name }) => name),
    ['B', 'b', '\uffee', '🐟', 'a', 'c'],
  );
});
