/** Chapter 4 of the concepts: ResourcePlacement. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceBindings, resourcePlacements, resourceSnapshots } from '@flotilla/api';
import { arrived, configMaps, Story } from './story.ts';

/** Members report their namespaces, so that placements only go where theirs exists. */
const withNamespaces = `
apiVersion: flotilla.dev/v1alpha1
kind: Fleet
members:
  - { names: 'sea-{1..3}', properties: { namespaces: true }, heartbeat: 5s }
`;

const namespaceOnly = `
apiVersion: v1
kind: Namespace
metadata: { name: team }
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: team }
spec:
  resourceSelectors:
    - { group: '', version: v1, kind: Namespace, name: team, selectionScope: NamespaceOnly }
  policy: { placementType: PickFixed, clusterNames: [sea-1, sea-2] }
`;

const settings = `
apiVersion: v1
kind: ConfigMap
metadata: { namespace: team, name: settings, labels: { app: web } }
data: { color: blue }
---
apiVersion: v1
kind: ConfigMap
metadata: { namespace: team, name: private }
---
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ResourcePlacement
metadata: { namespace: team, name: settings }
spec:
  resourceSelectors:
    - { group: '', version: v1, kind: ConfigMap, labelSelector: { matchLabels: { app: web } } }
`;

const key = { namespace: 'team', name: 'settings' };

test('an administrator places the namespace, and its owner places objects of it', async (t) => {
  const story = await Story.start(t, withNamespaces);
  await story.apply(namespaceOnly);
  await story.pass(10);
  await story.apply(settings);
  assert.deepEqual(await story.progressOf('settings', 'team'), arrived);
  assert.deepEqual(await story.clustersOf('settings', 'team'), ['sea-1', 'sea-2']);
  assert.deepEqual(await story.membersWith(configMaps, key), ['sea-1', 'sea-2']);
  assert.deepEqual(await story.membersWith(configMaps, { namespace: 'team', name: 'private' }), []);
});

test('a cluster that gets the namespace later gets the objects, too', async (t) => {
  const story = await Story.start(t, withNamespaces);
  await story.apply(namespaceOnly);
  await story.pass(10);
  await story.apply(settings);
  await story.apply(namespaceOnly.replace('[sea-1, sea-2]', '[sea-1, sea-2, sea-3]'));
  await story.pass(60);
  assert.deepEqual(await story.membersWith(configMaps, key), ['sea-1', 'sea-2', 'sea-3']);
});

test('nothing of a deleted one stays, and the namespace does', async (t) => {
  const story = await Story.start(t, withNamespaces);
  await story.apply(namespaceOnly);
  await story.pass(10);
  await story.apply(settings);
  await story.delete(resourcePlacements, key);
  await story.pass(60);
  for (const kind of [resourceBindings, resourceSnapshots]) {
    assert.deepEqual((await story.hub.list<never>(kind as never, { namespace: 'team' })).items, []);
  }
  assert.deepEqual(await story.membersWith(configMaps, key), []);
  assert.deepEqual(await story.clustersOf('team'), ['sea-1', 'sea-2']);
});
