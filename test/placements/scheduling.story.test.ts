/** Chapters 5 to 7 of the concepts: the scheduler, its plugins, and properties. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memberClusters } from '@flotilla/api';
import { configMaps, namespaces, Story } from './story.ts';

const web = `{apiVersion: v1, kind: Namespace, metadata: {name: web}}`;

function placing(policy: string): string {
  return `${web}
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
  policy: ${policy}
  strategy: { rollingUpdate: { maxUnavailable: 100%, unavailablePeriodSeconds: 1 } }
`;
}

test('more clusters are added to those that are chosen, fewer are taken from them', async (t) => {
  const story = await Story.start(t);
  const chosen: string[][] = [];
  for (const count of [1, 3, 2]) {
    await story.apply(placing(`{ placementType: PickN, numberOfClusters: ${count} }`));
    await story.pass(5);
    chosen.push(await story.clustersOf('web'));
  }
  const [one = [], three = [], two = []] = chosen;
  assert.deepEqual([one.length, three.length, two.length], [1, 3, 2]);
  assert.ok(one.every((name) => three.includes(name)));
  assert.ok(two.every((name) => three.includes(name)));
  assert.deepEqual(await story.membersWith(namespaces, { name: 'web' }), two);
});

test('changed labels do not move what is placed, and make other clusters eligible', async (t) => {
  const story = await Story.start(t);
  const west = '{ labelSelector: { matchLabels: { region: west } } }';
  const required = `{ requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms: [${west}] } }`;
  await story.apply(placing(`{ placementType: PickAll, affinity: { clusterAffinity: ${required} } }`));
  assert.deepEqual(await story.clustersOf('web'), ['west-1', 'west-2']);
  await label(story, 'west-1', 'north');
  await label(story, 'east-1', 'west');
  assert.deepEqual(await story.clustersOf('web'), ['east-1', 'west-1', 'west-2']);
});

async function label(story: Story, name: string, region: string): Promise<void> {
  await story.hub.patch(memberClusters, { name }, { type: 'merge', value: { metadata: { labels: { region } } } });
  await story.settle();
}

test('a taint keeps placements away that do not tolerate it, and evicts none', async (t) => {
  const story = await Story.start(t);
  const taints = [{ key: 'maintenance', value: 'true', effect: 'NoSchedule' }];
  await story.hub.patch(memberClusters, { name: 'east-1' }, { type: 'merge', value: { spec: { taints } } });
  await story.apply(placing('{ placementType: PickAll }'));
  assert.deepEqual(await story.clustersOf('web'), ['east-2', 'west-1', 'west-2']);
  await story.apply(placing('{ placementType: PickAll, tolerations: [{ key: maintenance, operator: Exists }] }'));
  await story.pass(5);
  assert.deepEqual(await story.clustersOf('web'), ['east-1', 'east-2', 'west-1', 'west-2']);
  await story.hub.patch(memberClusters, { name: 'west-1' }, { type: 'merge', value: { spec: { taints } } });
  await story.settle();
  assert.deepEqual(await story.membersWith(namespaces, { name: 'web' }), ['east-1', 'east-2', 'west-1', 'west-2']);
});

const differentSizes = `
apiVersion: flotilla.dev/v1alpha1
kind: Fleet
members:
  - { name: small, nodes: [{ count: 1, cpu: 2, memory: 4Gi }] }
  - { name: medium, nodes: [{ count: 2, cpu: 8, memory: 32Gi }] }
  - { name: large, nodes: [{ count: 5, cpu: 16, memory: 64Gi }] }
`;

test('clusters are required and preferred by what they have', async (t) => {
  const story = await Story.start(t, differentSizes);
  const nodes = `{ name: kubernetes-fleet.io/node-count, operator: Ge, values: ['2'] }`;
  const cpu = '{ name: resources.kubernetes-fleet.io/allocatable-cpu, sortOrder: Ascending }';
  const terms = `[{ propertySelector: { matchExpressions: [${nodes}] } }]`;
  const required = `requiredDuringSchedulingIgnoredDuringExecution: { clusterSelectorTerms: ${terms} }`;
  const preferred = `preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, preference: { propertySorter: ${cpu} } }]`;
  const affinity = `{ ${required}, ${preferred} }`;
  await story.apply(
    placing(`{ placementType: PickN, numberOfClusters: 1, affinity: { clusterAffinity: ${affinity} } }`),
  );
  assert.deepEqual(await story.clustersOf('web'), ['medium']);
});

test('a placement that finds too few clusters says why, and takes one that joins later', async (t) => {
  const story = await Story.start(t, differentSizes);
  await story.apply(placing('{ placementType: PickFixed, clusterNames: [small, absent] }'));
  assert.deepEqual((await story.progressOf('web'))[0], 'Scheduled False SchedulingPolicyUnfulfilled');
  const { placementStatuses = [] } = await story.statusOf('web');
  assert.deepEqual(
    placementStatuses
      .filter(({ clusterName }) => clusterName === undefined)
      .map(({ conditions }) => conditions?.[0]?.message),
    ['Specified cluster "absent" is not found'],
  );
});

test('a cluster that leaves loses nothing, and its placement finds another one', async (t) => {
  const story = await Story.start(t);
  await story.apply(placing('{ placementType: PickN, numberOfClusters: 2 }'));
  const [first = '', second = ''] = await story.clustersOf('web');
  await story.delete(memberClusters, { name: first });
  await story.pass(120);
  const chosen = await story.clustersOf('web');
  assert.equal(chosen.length, 2);
  assert.ok(chosen.includes(second) && !chosen.includes(first));
  assert.ok(await story.on(first, namespaces, { name: 'web' }));
  assert.deepEqual(
    await story.membersWith(configMaps, { namespace: 'web', name: 'kube-root-ca.crt' }),
    [first, ...chosen].sort(),
  );
});
