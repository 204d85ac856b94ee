/** KubeFleet's example manifests run to their end state. Those of update runs and evictions are another issue's, Kueue's need Kueue. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { clusterResourcePlacements, resourcePlacements } from '@flotilla/api';
import { ApiError, clusterRoles, type Kind } from '@flotilla/kube';
import { referenceData } from '@flotilla/testkit';
import { configMaps, deployments, Story } from './story.ts';

const { skip, path } = referenceData();

const fleet = `
apiVersion: flotilla.dev/v1alpha1
kind: Fleet
members:
  - { name: blue, labels: { color: blue, env: prod } }
  - { name: red, labels: { color: red, env: canary, test-key: test-value2, fleet.azure.com/location: eastus } }
  - { name: green, labels: { color: green, env: canary, taint: 'true' }, taints: [{ key: test-key1 }] }
  - { names: 'us-{1..2}', labels: { fleet.azure.com/location: westus } }
  - names: eu-{1..2}
    labels: { fleet.azure.com/location: westeurope }
    region: westeurope
    nodes: [{ count: 2, instanceType: Standard_D4s_v5, cpu: 4, memory: 16Gi }]
    properties: { provider: azure, prices: { Standard_D4s_v5: 0.192 } }
`;

/** What the examples select. */
const selected = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: testresources.test.kubernetes-fleet.io, labels: { from: hub } }
spec:
  group: test.kubernetes-fleet.io
  scope: Namespaced
  names: { plural: testresources, kind: TestResource }
  versions:
    - { name: v1alpha1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
---
{apiVersion: v1, kind: Namespace, metadata: {name: test-namespace, labels: {kubernetes-fleet.io/app: prod}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: test-namespace, name: test-configmap, labels: {from: hub}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: { namespace: test-namespace, name: nginx-deployment }
spec:
  replicas: 2
  selector: { matchLabels: { app: nginx } }
  template: { metadata: { labels: { app: nginx } }, spec: { containers: [{ name: nginx, image: 'nginx:1.14.2' }] } }
---
{apiVersion: v1, kind: Namespace, metadata: {name: test-ns}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {namespace: test-ns, name: test-cm}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: app}}
`;

const untainted = ['blue', 'eu-1', 'eu-2', 'red', 'us-1', 'us-2'];
const available = 'Available True ResourceAvailable';

/** The placement of each file, the clusters that it selects or their number, and its last condition. */
const placements: readonly (readonly [string, string, readonly string[] | number, string])[] = [
  ['test-crp2.yaml', 'crp-2', 3, available],
  ['test-crp3.yaml', 'crp-3', 3, available],
  ['test-crp4.yaml', 'crp-4', 2, available],
  ['test-crp5.yaml', 'crp-5', 3, available],
  ['test-crp6.yaml', 'crp-6', ['blue', 'red'], available],
  ['test-crp7.yaml', 'crp-7', ['red'], available],
  ['test-crp8.yaml', 'crp-8', ['green'], available],
  ['test-crp9.yaml', 'crp-9', untainted, available],
  ['eviction/test-crp.yaml', 'test-crp', 3, available],
];

describe("KubeFleet's examples", { skip }, () => {
  let story: Story;
  before(async () => {
    story = await Story.open(fleet);
    await story.apply(selected);
  });
  after(() => story.fleet.stop());

  const example = (file: string): string => readFileSync(path(`kubefleet/examples/${file}`), 'utf8');

  async function remove(kind: Kind, name: string, namespace?: string): Promise<void> {
    await story.delete(kind, { name, namespace });
    await story.pass(60);
  }

  test('test-crp1.yaml is refused: PickN needs a number', async () => {
    await assert.rejects(
      story.apply(example('test-crp1.yaml')),
      (error) =>
        error instanceof ApiError && error.message.includes('numberOfClusters must be set when placementType is PickN'),
    );
  });

  for (const [file, name, clusters, last] of placements) {
    test(`${file} ends as ${last}`, async () => {
      await story.apply(example(file));
      await story.pass(120);
      const chosen = await story.clustersOf(name);
      if (typeof clusters === 'number') assert.equal(chosen.length, clusters);
      else assert.deepEqual(chosen, clusters);
      assert.ok((await story.progressOf(name)).includes(last), (await story.progressOf(name)).join('\n'));
      await remove(clusterResourcePlacements, name);
    });
  }

  test('migration moves a workload to another region, with more replicas', async () => {
    await story.apply(example('migration/crp-1.yaml'));
    await story.pass(30);
    const key = { namespace: 'test-namespace', name: 'nginx-deployment' };
    assert.deepEqual(await story.membersWith(deployments, key), ['us-1', 'us-2']);
    await story.apply(example('migration/resourceoverride.yaml'));
    await story.apply(example('migration/crp-2.yaml'));
    await story.pass(180);
    assert.deepEqual(await story.membersWith(deployments, key), ['eu-1', 'eu-2']);
    const moved = (await story.on('eu-1', deployments, key)) as { spec?: { replicas?: number } } | undefined;
    assert.equal(moved?.spec?.replicas, 4);
    await remove(clusterResourcePlacements, 'crp-example');
  });

  test('nginx serves another page in one region', async () => {
    for (const file of ['namespace', 'configMap', 'deployment', 'service', 'config-ro', 'place-all-crp']) {
      await story.apply(example(`nginx/${file}.yaml`));
    }
    await story.pass(300);
    assert.ok((await story.progressOf('afd-crp')).includes(available));
    const page = async (member: string) =>
      JSON.stringify(await story.on(member, deployments, { namespace: 'test-afd', name: 'test-nginx' })).match(
        /v\d\.html/,
      )?.[0];
    assert.deepEqual([await page('red'), await page('blue')], ['v2.html', 'v1.html']);
    await remove(clusterResourcePlacements, 'afd-crp');
  });

  test('resourceplacement brings objects of a namespace after the namespace', async () => {
    await story.apply(example('resourceplacement/test-crp.yaml'));
    await story.pass(60);
    await story.apply(example('resourceplacement/rp-cm.yaml'));
    await story.pass(60);
    assert.ok((await story.progressOf('rp-cm', 'test-ns')).includes(available));
    assert.deepEqual(await story.membersWith(configMaps, { namespace: 'test-ns', name: 'test-cm' }), untainted);
    await story.apply(example('resourceplacement/rp-deploy.yaml'));
    await story.pass(60);
    assert.equal((await story.clustersOf('rp-nginx', 'test-ns')).length, 2);
    for (const name of ['rp-cm', 'rp-nginx']) await remove(resourcePlacements, name, 'test-ns');
    await remove(clusterResourcePlacements, 'ns-only-crp');
  });

  test('overrides reach into envelopes', async () => {
    await story.apply(example('envelopes/clusterscoped.yaml'));
    await story.apply(example('envelopes/namespacescoped.yaml'));
    await story.apply(`
apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterResourcePlacement
metadata: { name: app }
spec:
  resourceSelectors: [{ group: '', version: v1, kind: Namespace, name: app, selectionScope: NamespaceOnly }]
`);
    await story.pass(90);
    await story.apply(example('envelopes/override-inside-envelope.yaml'));
    await story.pass(120);
    assert.ok(
      (await story.progressOf('ingress', 'app')).includes(available),
      (await story.progressOf('ingress', 'app')).join('\n'),
    );
    assert.ok((await story.progressOf('reader-role')).includes(available));
    const replicas = async (member: string) =>
      ((await story.on(member, deployments, { namespace: 'app', name: 'ingress' })) as { spec?: { replicas?: number } })
        ?.spec?.replicas;
    assert.deepEqual([await replicas('red'), await replicas('blue')], [3, 1]);
    const verbs = async (member: string) =>
      JSON.stringify((await story.on(member, clusterRoles, { name: 'pod-reader' }))?.rules?.[0]?.['verbs']);
    assert.deepEqual([await verbs('red'), await verbs('blue')], ['["get","list","watch"]', '["get","list"]']);
  });

  for (const file of ['test-cro1.yaml', 'test-ro1.yaml', 'fleet_v1beta1_membercluster.yaml']) {
    test(`${file} is accepted`, () => story.apply(example(file)));
  }
});
