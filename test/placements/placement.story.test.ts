/** Chapter 3 of the concepts: ClusterResourcePlacement. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clusterResourceBindings,
  clusterResourcePlacements,
  clusterResourcePlacementStatuses,
  clusterResourceSnapshots,
  clusterSchedulingPolicySnapshots,
  works,
} from '@flotilla/api';
import { clusterRoles, type Kind } from '@flotilla/kube';
import { arrived, configMaps, deployments, namespaces, Story } from './story.ts';

const web = `
apiVersion: v1
kind: Namespace
metadata: { name: web }
---
apiVersion: v1
kind: ConfigMap
metadata: { namespace: web, name: settings }
data: { color: blue }
---
apiVersion: apps/v1
kind: Deployment
metadata: { namespace: web, name: server }
spec:
  replicas: 2
  selector: { matchLabels: { app: server } }
  template:
    metadata: { labels: { app: server } }
    spec: { containers: [{ name: server, image: 'nginx:1.27' }] }
`;

const everywhere = `
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  resourceSelectors:
    - { group: '', version: v1, kind: Namespace, name: web }
  strategy:
    rollingUpdate: { maxUnavailable: 100%, unavailablePeriodSeconds: 5 }
`;

const all = ['east-1', 'east-2', 'west-1', 'west-2'];
const settings = { namespace: 'web', name: 'settings' };

test('a namespace and all that is in it arrives on every cluster', async (t) => {
  const story = await Story.start(t);
  await story.apply(web);
  await story.apply(everywhere);
  assert.deepEqual(await story.progressOf('web'), arrived);
  assert.deepEqual(await story.clustersOf('web'), all);
  assert.deepEqual(await story.membersWith(configMaps, settings), all);
  assert.deepEqual(await story.membersWith(deployments, { namespace: 'web', name: 'server' }), all);
  const { selectedResources, observedResourceIndex } = await story.statusOf('web');
  assert.equal(observedResourceIndex, '0');
  assert.deepEqual(
    selectedResources?.map(({ kind, name }) => `${kind} ${name}`),
    ['Namespace web', 'ConfigMap settings', 'Deployment server'],
  );
});

test('a changed, a new and a deleted object follow', async (t) => {
  const story = await Story.start(t);
  await story.apply(web);
  await story.apply(everywhere);
  await story.apply(`{apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, name: settings}, data: {color: red}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: web, name: more}, data: {a: b}}`);
  await story.pass(10);
  for (const member of all)
    assert.deepEqual((await story.on(member, configMaps, settings))?.['data'], { color: 'red' });
  assert.deepEqual(await story.membersWith(configMaps, { namespace: 'web', name: 'more' }), all);
  await story.delete(configMaps, { namespace: 'web', name: 'more' });
  await story.pass(10);
  assert.deepEqual(await story.membersWith(configMaps, { namespace: 'web', name: 'more' }), []);
  assert.deepEqual(await story.progressOf('web'), arrived);
});

test('PickN spreads over regions', async (t) => {
  const story = await Story.start(t);
  await story.apply(web);
  await story.apply(`
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  policy:
    placementType: PickN
    numberOfClusters: 2
    topologySpreadConstraints:
      - { maxSkew: 1, topologyKey: region, whenUnsatisfiable: DoNotSchedule }
  resourceSelectors:
    - { group: '', version: v1, kind: Namespace, name: web }
`);
  const regions = (await story.clustersOf('web')).map((name) => name.split('-')[0]);
  assert.deepEqual(regions, ['east', 'west']);
  assert.deepEqual(await story.progressOf('web'), arrived);
});

test('cluster-scoped objects are selected by label', async (t) => {
  const story = await Story.start(t);
  await story.apply(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader, labels: { team: web } }
rules: [{ apiGroups: [''], resources: [pods], verbs: [get] }]
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: roles }
spec:
  policy: { placementType: PickFixed, clusterNames: [east-1] }
  resourceSelectors:
    - { group: rbac.authorization.k8s.io, version: v1, kind: ClusterRole, labelSelector: { matchLabels: { team: web } } }
`);
  assert.deepEqual(await story.membersWith(clusterRoles, { name: 'reader' }), ['east-1']);
});

test('the status is visible in the namespace where the placement says so', async (t) => {
  const story = await Story.start(t);
  await story.apply(web);
  await story.apply(everywhere.replace('spec:\n', 'spec:\n  statusReportingScope: NamespaceAccessible\n'));
  const mirror = await story.hub.get(clusterResourcePlacementStatuses, { namespace: 'web', name: 'web' });
  const status = await story.statusOf('web');
  assert.deepEqual(mirror.sourceStatus.placementStatuses, status.placementStatuses);
  assert.ok((await story.progressOf('web')).includes('StatusSynced True StatusSyncSucceeded'));
});

test('nothing of a deleted placement stays', async (t) => {
  const story = await Story.start(t);
  await story.apply(web);
  await story.apply(everywhere);
  await story.delete(clusterResourcePlacements, { name: 'web' });
  await story.pass(60);
  const kinds: readonly Kind[] = [
    clusterResourcePlacements,
    clusterResourceBindings,
    clusterResourceSnapshots,
    clusterSchedulingPolicySnapshots,
    works,
  ];
  for (const kind of kinds) {
    const { items } = await story.hub.list(kind);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      [],
      kind.kind,
    );
  }
  assert.deepEqual(await story.membersWith(namespaces, { name: 'web' }), []);
});

test('Abandon leaves the objects on the clusters', async (t) => {
  const story = await Story.start(t);
  await story.apply(web);
  await story.apply(
    everywhere
      .replace('/v1\n', '/v1beta1\n')
      .replace('strategy:\n', 'strategy:\n    deleteStrategy: { propagationPolicy: Abandon }\n'),
  );
  assert.deepEqual(await story.membersWith(configMaps, settings), all);
  await story.delete(clusterResourcePlacements, { name: 'web' });
  await story.pass(60);
  assert.deepEqual((await story.hub.list(works)).items, []);
  assert.deepEqual(await story.membersWith(configMaps, settings), all);
});
