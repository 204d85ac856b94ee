/** Chapter 9 of the concepts: overrides; and envelopes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, namespaces, Story } from './story.ts';

const web = `
apiVersion: v1
kind: Namespace
metadata: { name: web }
---
apiVersion: v1
kind: ConfigMap
metadata: { namespace: web, name: settings, annotations: { from: hub } }
data: { color: blue }
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourcePlacement
metadata: { name: web }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
  strategy: { rollingUpdate: { maxUnavailable: 100%, unavailablePeriodSeconds: 1 } }
`;

const settings = { namespace: 'web', name: 'settings' };

/** An override of the settings, with these rules in YAML. */
function overriding(name: string, rules: string): string {
  return `
{apiVersion: v1, kind: Namespace, metadata: {name: web}}
---
apiVersion: placement.kubernetes-fleet.io/v1
kind: ResourceOverride
metadata: { namespace: web, name: ${name} }
spec:
  placement: { name: web }
  resourceSelectors: [{ group: '', version: v1, kind: ConfigMap, name: settings }]
  policy: { overrideRules: [${rules}] }
`;
}

/** In YAML, the clusters with this label. */
function labelled(label: string): string {
  return `clusterSelector: { clusterSelectorTerms: [{ labelSelector: { matchLabels: { ${label} } } }] }`;
}

test('overrides change objects on the clusters that they select', async (t) => {
  const story = await Story.start(t);
  await story.apply(`
apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterResourceOverride
metadata: { name: name-it }
spec:
  placement: { name: web }
  clusterResourceSelectors: [{ group: '', version: v1, kind: Namespace, name: web }]
  policy:
    overrideRules:
      - clusterSelector: { clusterSelectorTerms: [] }
        jsonPatchOverrides:
          - { op: add, path: /metadata/annotations, value: { cluster: '\${MEMBER-CLUSTER-NAME}', region: '\${MEMBER-CLUSTER-LABEL-KEY-region}' } }
`);
  const recolored = `{ ${labelled('env: canary')}, jsonPatchOverrides: [{ op: replace, path: /data/color, value: red }] }`;
  const leftOut = `{ ${labelled('kubernetes-fleet.io/member-name: east-1')}, overrideType: Delete }`;
  await story.apply(overriding('canary', `${recolored}, ${leftOut}`));
  await story.apply(web);
  await story.pass(5);
  assert.deepEqual(await story.membersWith(configMaps, settings), ['east-2', 'west-1', 'west-2']);
  assert.deepEqual((await story.on('west-1', configMaps, settings))?.['data'], { color: 'blue' });
  const canary = await story.on('west-2', configMaps, settings);
  assert.deepEqual(canary?.['data'], { color: 'red' });
  assert.equal(canary?.metadata.annotations?.['cluster'], 'west-2');
  const namespace = await story.on('east-1', namespaces, { name: 'web' });
  assert.equal(namespace?.metadata.annotations?.['region'], 'east');
  assert.ok((await story.progressOf('web')).includes('Overridden True OverriddenSucceeded'));
  const { placementStatuses = [] } = await story.statusOf('web');
  const status = placementStatuses.find(({ clusterName }) => clusterName === 'west-2');
  assert.deepEqual(status?.applicableClusterResourceOverrides, ['name-it-0']);
  assert.deepEqual(status?.applicableResourceOverrides, [{ namespace: 'web', name: 'canary-0' }]);
});

test('an override that cannot be applied stops its cluster and says why', async (t) => {
  const story = await Story.start(t);
  const rule = `{ ${labelled('env: canary')}, jsonPatchOverrides: [{ op: remove, path: /data/taste }] }`;
  await story.apply(overriding('wrong', rule));
  await story.apply(web);
  await story.pass(5);
  assert.ok((await story.progressOf('web')).includes('Overridden False OverriddenFailed'));
  const { placementStatuses = [] } = await story.statusOf('web');
  const failed = placementStatuses.find(({ clusterName }) => clusterName === 'west-2');
  const overridden = failed?.conditions?.find(({ type }) => type === 'Overridden');
  assert.match(
    overridden?.message ?? '',
    /^Failed to apply the override rules on the resources: ResourceOverrideSnapshot "wrong-0" failed to apply on ConfigMap "settings" in namespace "web": /,
  );
  assert.deepEqual(await story.membersWith(configMaps, settings), ['east-1', 'west-1']);
});

test('an envelope has its effect on the clusters, not on the hub', async (t) => {
  const story = await Story.start(t);
  await story.apply(`
{apiVersion: v1, kind: Namespace, metadata: {name: web}}
---
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ResourceEnvelope
metadata: { namespace: web, name: wrapped }
data:
  limits.yaml:
    apiVersion: v1
    kind: ConfigMap
    metadata: { namespace: web, name: unwrapped }
    data: { a: b }
`);
  await story.apply(web);
  await story.pass(5);
  const unwrapped = { namespace: 'web', name: 'unwrapped' };
  assert.deepEqual(await story.membersWith(configMaps, unwrapped), ['east-1', 'east-2', 'west-1', 'west-2']);
  assert.equal(
    (await story.hub.list(configMaps, { namespace: 'web', fieldSelector: 'metadata.name=unwrapped' })).items.length,
    0,
  );
  assert.equal((await story.progressOf('web')).at(-1), 'Available True ResourceAvailable');
});
