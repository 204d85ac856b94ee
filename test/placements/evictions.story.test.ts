/** Chapter 11 of the concepts: evictions within a disruption budget. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterResourcePlacementEvictions } from '@flotilla/api';
import { namespaces, Story } from './story.ts';

const placed = `
{ apiVersion: v1, kind: Namespace, metadata: { name: web } }
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
  policy: { placementType: PickN, numberOfClusters: 2 }
---
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterResourcePlacementDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 1 }
`;

function eviction(cluster: string): string {
  return `
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterResourcePlacementEviction
metadata: { name: from-${cluster} }
spec: { placementName: web, clusterName: ${cluster} }
`;
}

function tainted(cluster: string): string {
  return `
apiVersion: cluster.kubernetes-fleet.io/v1
kind: MemberCluster
metadata: { name: ${cluster} }
spec: { taints: [{ key: maintenance, value: now, effect: NoSchedule }] }
`;
}

test('one of two clusters is emptied, another one takes its place, and the last is kept', async (t) => {
  const story = await Story.start(t);
  await story.apply(placed);
  await story.pass(61);
  const [first = '', second = ''] = await story.clustersOf('web');
  await story.apply(
    ['east-1', 'east-2', 'west-1', 'west-2']
      .filter((name) => name !== second)
      .map(tainted)
      .join('---'),
  );
  await story.applyNow(`${eviction(first)}---${eviction(second)}`);
  await story.pass(1);
  const verdicts = (await story.hub.list(clusterResourcePlacementEvictions)).items
    .map(({ spec, status }) => `${spec.clusterName} ${status?.conditions?.[1]?.status}`)
    .sort();
  assert.deepEqual(verdicts, [`${first} True`, `${second} False`].sort());
  assert.deepEqual(await story.membersWith(namespaces, { name: 'web' }), [second]);
});
