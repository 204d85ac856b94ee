import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { clusterFamily, hubDefinitions, namespacedFamily, type Placement, type ResourceSelector } from '@flotilla/api';
import {
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  MetricsRegistry,
  namespaces,
  secrets,
  silentLogger,
  type JsonObject,
  type Kind,
} from '@flotilla/kube';
import { InformerSet } from '@flotilla/runtime';
import { configMap, deployment, settle, startTestServer, type TestServer } from '@flotilla/testkit';
import { PlaceableApis } from './placeable-apis.ts';
import { PlaceableNamespaces } from './placeable-namespaces.ts';
import { PlacementSelections } from './placement-selections.ts';
import { isSelected, type Selection } from './selection.ts';

const definitions = (await hubDefinitions()).filter(({ spec }) => spec.names.kind.endsWith('Envelope'));

const boats: Kind = { group: 'sea.example.com', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true };

const boatDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    names: { kind: 'Boat', listKind: 'BoatList', plural: 'boats', singular: 'boat' },
    scope: 'Namespaced',
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
};

const ofNamespace = { group: '', version: 'v1', kind: 'Namespace', selectionScope: 'NamespaceWithResources' } as const;
const ofConfigMap = { group: '', version: 'v1', kind: 'ConfigMap', selectionScope: 'NamespaceWithResources' } as const;

class Fixture {
  readonly server: TestServer;
  readonly selections: PlacementSelections;
  readonly informers: InformerSet;
  readonly woken: string[] = [];

  constructor(server: TestServer, isView: boolean) {
    this.server = server;
    const { clock, turns } = server;
    const client = isView ? server.client : server.connect({ wrap: ({ send, close }) => ({ send, close }) });
    const logger = silentLogger;
    this.informers = new InformerSet({ client, clock, turns, random: () => 0.5, logger });
    this.selections = new PlacementSelections({
      client,
      informers: this.informers,
      rules: { apis: new PlaceableApis(), namespaces: new PlaceableNamespaces(), runsWorkloads: false },
      clock,
      turns,
      logger,
      metrics: new MetricsRegistry(),
    });
    for (const family of [clusterFamily, namespacedFamily]) {
      this.selections.source(family).subscribe(({ namespace = '', name }) => this.woken.push(`${namespace}/${name}`));
    }
  }

  async stop(): Promise<void> {
    await this.selections.stop();
    assert.deepEqual(this.informers.names(), []);
    await this.server.stop();
  }

  async settle(): Promise<void> {
    const { isAtRest } = this.selections.source(clusterFamily);
    await settle(this.server.clock, () => isAtRest() && this.server.isAtRest());
  }

  /** The selection of a placement when nothing more happens. */
  async select(selectors: readonly ResourceSelector[], namespace?: string): Promise<Selection> {
    this.selections.current(placement(selectors, namespace));
    await this.settle();
    this.woken.length = 0;
    return this.selections.current(placement(selectors, namespace));
  }

  /** `Kind/name` of everything selected, or the problem. */
  async selected(selectors: readonly ResourceSelector[], namespace?: string): Promise<readonly string[] | string> {
    return shown(await this.select(selectors, namespace));
  }

  async namespace(name: string, labels: Record<string, string> = {}): Promise<void> {
    await this.server.create(namespaces, { metadata: { name, labels } });
  }
}

function placement(resourceSelectors: readonly ResourceSelector[], namespace?: string): Placement {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: namespace === undefined ? 'ClusterResourcePlacement' : 'ResourcePlacement',
    metadata: { name: 'app', ...(namespace !== undefined && { namespace }) },
    spec: {
      resourceSelectors: [...resourceSelectors],
      revisionHistoryLimit: 10,
      statusReportingScope: 'ClusterScopeOnly',
    },
  };
}

function shown(selection: Selection): readonly string[] | string {
  if (isSelected(selection)) return selection.identifiers.map(({ kind, name }) => `${kind}/${name}`);
  return 'problem' in selection ? selection.problem : `pending: ${selection.pending}`;
}

for (const isView of [true, false]) {
  describe(`selections ${isView ? 'over a view of the server' : 'over a list and a watch'}`, () => {
    let fixture: Fixture;
    let server: TestServer;

    beforeEach(async () => {
      server = await startTestServer({ definitions });
      fixture = new Fixture(server, isView);
    });
    afterEach(() => fixture.stop());

    test('of a namespace have all its objects, also those that come later, until they go', async () => {
      await fixture.namespace('shop');
      await server.client.create(configMaps, configMap('a', {}, { namespace: 'shop' }));
      const whole = [{ ...ofNamespace, name: 'shop' }];
      assert.deepEqual(await fixture.selected(whole), ['Namespace/shop', 'ConfigMap/a']);
      await server.client.create(deployments, deployment('web', {}, { namespace: 'shop' }));
      await fixture.settle();
      assert.deepEqual(fixture.woken, ['/app']);
      assert.deepEqual(await fixture.selected(whole), ['Namespace/shop', 'ConfigMap/a', 'Deployment/web']);
      await server.client.delete(configMaps, { namespace: 'shop', name: 'a' });
      await fixture.settle();
      assert.deepEqual(fixture.woken, ['/app']);
      assert.deepEqual(await fixture.selected(whole), ['Namespace/shop', 'Deployment/web']);
    });

    test('begin with a namespace that does not exist yet', async () => {
      assert.deepEqual(await fixture.selected([{ ...ofNamespace, name: 'shop' }]), []);
      await fixture.namespace('shop');
      await fixture.settle();
      assert.deepEqual(fixture.woken, ['/app']);
      assert.deepEqual(await fixture.selected([{ ...ofNamespace, name: 'shop' }]), ['Namespace/shop']);
    });

    test('follow labels of namespaces in and out of a selector', async () => {
      await fixture.namespace('shop');
      await server.client.create(configMaps, configMap('a', {}, { namespace: 'shop' }));
      const labelled = [{ ...ofNamespace, labelSelector: { matchLabels: { team: 'sea' } } }];
      assert.deepEqual(await fixture.selected(labelled), []);
      const relabel = (team: string | null) =>
        server.client.patch(namespaces, { name: 'shop' }, { type: 'merge', value: { metadata: { labels: { team } } } });
      await relabel('sea');
      await fixture.settle();
      assert.deepEqual(await fixture.selected(labelled), ['Namespace/shop', 'ConfigMap/a']);
      await relabel(null);
      await fixture.settle();
      assert.deepEqual(fixture.woken, ['/app']);
      assert.deepEqual(await fixture.selected(labelled), []);
    });

    test('have objects of a kind whose definition appears later, and lose them with it', async () => {
      await fixture.namespace('shop');
      const whole = [{ ...ofNamespace, name: 'shop' }];
      assert.deepEqual(await fixture.selected(whole), ['Namespace/shop']);
      await server.client.create(customResourceDefinitions, boatDefinition);
      await fixture.settle();
      await server.create(boats, { metadata: { name: 'one', namespace: 'shop' } });
      await fixture.settle();
      assert.deepEqual(await fixture.selected(whole), ['Namespace/shop', 'Boat/one']);
      await server.client.delete(customResourceDefinitions, { name: 'boats.sea.example.com' });
      await fixture.settle();
      assert.deepEqual(await fixture.selected(whole), ['Namespace/shop']);
    });

    test('of a kind that is not served are a problem until it is', async () => {
      await fixture.namespace('shop');
      const ofBoat = { ...boats, selectionScope: 'NamespaceWithResources' } as const;
      const selector = { group: ofBoat.group, version: 'v1beta1', kind: 'Boat', selectionScope: ofBoat.selectionScope };
      assert.equal(
        await fixture.selected([selector], 'shop'),
        'failed to process the request due to a client error: invalid placement shop/app, failed to get GVR of the selector: no matches for kind "Boat" in version "sea.example.com/v1beta1"',
      );
      await server.client.create(customResourceDefinitions, boatDefinition);
      await server.create(boats, { metadata: { name: 'one', namespace: 'shop' } });
      await fixture.settle();
      const selection = await fixture.select([selector], 'shop');
      assert.ok(isSelected(selection));
      assert.equal(selection.identifiers[0]?.version, 'v1beta1');
      assert.equal(selection.contentAt(0)?.['apiVersion'], 'sea.example.com/v1beta1');
    });

    test('of a namespaced placement come from its namespace alone', async () => {
      await fixture.namespace('shop');
      await server.client.create(configMaps, configMap('a', {}, { namespace: 'shop', labels: { app: 'web' } }));
      await server.client.create(configMaps, configMap('b', {}, { namespace: 'shop' }));
      await server.client.create(configMaps, configMap('c', {}, { labels: { app: 'web' } }));
      const selectors = [{ ...ofConfigMap, labelSelector: { matchLabels: { app: 'web' } } }];
      assert.deepEqual(await fixture.selected(selectors, 'shop'), ['ConfigMap/a']);
      await server.client.create(configMaps, configMap('d', {}, { labels: { app: 'web' } }));
      await fixture.settle();
      assert.deepEqual(fixture.woken, []);
      const labels = { labels: { app: 'web' } };
      await server.client.patch(
        configMaps,
        { namespace: 'shop', name: 'b' },
        { type: 'merge', value: { metadata: labels } },
      );
      await fixture.settle();
      assert.deepEqual(fixture.woken, ['shop/app']);
      assert.deepEqual(await fixture.selected(selectors, 'shop'), ['ConfigMap/a', 'ConfigMap/b']);
    });

    test('of a namespaced placement see changes in the default namespace, which KubeFleet misses', async () => {
      await server.client.create(configMaps, configMap('a'));
      assert.deepEqual(await fixture.selected([{ ...ofConfigMap, name: 'a' }], 'default'), ['ConfigMap/a']);
      await server.client.delete(configMaps, { namespace: 'default', name: 'a' });
      await fixture.settle();
      assert.deepEqual(fixture.woken, ['default/app']);
    });

    test('of one namespace with selectors have only what these name', async () => {
      await fixture.namespace('shop');
      await server.client.create(configMaps, configMap('a', {}, { namespace: 'shop' }));
      await server.client.create(configMaps, configMap('b', {}, { namespace: 'shop' }));
      await server.create(clusterRoles, { metadata: { name: 'sailor' }, rules: [] });
      const selectors = [
        { ...ofNamespace, name: 'shop', selectionScope: 'NamespaceWithResourceSelectors' },
        { ...ofConfigMap, name: 'b' },
        {
          group: 'rbac.authorization.k8s.io',
          version: 'v1',
          kind: 'ClusterRole',
          name: 'sailor',
          selectionScope: 'NamespaceOnly',
        },
      ] as const;
      assert.deepEqual(await fixture.selected(selectors), ['Namespace/shop', 'ConfigMap/b', 'ClusterRole/sailor']);
      await server.client.delete(configMaps, { namespace: 'shop', name: 'a' });
      await fixture.settle();
      assert.deepEqual(fixture.woken, []);
      await server.client.delete(namespaces, { name: 'shop' });
      await fixture.settle();
      assert.match(
        String(await fixture.selected(selectors)),
        /requires exactly one namespace, but no namespaces were selected$/,
      );
    });

    test('change neither for a status nor for objects that are never placed', async () => {
      await fixture.namespace('shop');
      await server.client.create(deployments, deployment('web', {}, { namespace: 'shop' }));
      const before = await fixture.select([{ ...ofNamespace, name: 'shop' }]);
      const status = { status: { replicas: 3, observedGeneration: 1 } };
      const key = { namespace: 'shop', name: 'web' };
      await server.client.patch(deployments, key, { type: 'merge', value: status }, { subresource: 'status' });
      await server.client.create(configMaps, configMap('kube-root-ca.crt', {}, { namespace: 'shop' }));
      await server.client.create(configMaps, configMap('elsewhere'));
      await fixture.settle();
      assert.deepEqual(fixture.woken, []);
      const now = await fixture.select([{ ...ofNamespace, name: 'shop' }]);
      assert.equal(now, before);
      assert.ok(isSelected(now));
      assert.equal(now.contentAt(1)?.['status'], undefined);
      assert.equal(now.contentAt(1)?.['kind'], 'Deployment');
    });

    test('give no content that differs from their hash', async () => {
      await fixture.namespace('shop');
      await server.client.create(configMaps, configMap('a', { tide: 'low' }, { namespace: 'shop' }));
      const selectors = [{ ...ofConfigMap, name: 'a' }];
      const before = await fixture.select(selectors, 'shop');
      const tide = (value: string) =>
        server.client.patch(
          configMaps,
          { namespace: 'shop', name: 'a' },
          { type: 'merge', value: { data: { tide: value } } },
        );
      await tide('high');
      await server.clock.advance(0);
      const read = isSelected(before) ? before.contentAt(0) : undefined;
      // The list may be a moment behind.
      if (!isView && read !== undefined) assert.deepEqual(read['data'], { tide: 'low' });
      else assert.equal(read, undefined);
      await tide('low');
      await fixture.settle();
      const after = fixture.selections.current(placement(selectors, 'shop'));
      assert.equal(isSelected(after) && isSelected(before) && after.hash === before.hash, true);
      assert.ok(isSelected(after) && after.contentAt(0) !== undefined);
      // The reader that got nothing is called again, although the content is the same as before.
      if (read === undefined) assert.ok(fixture.woken.includes('shop/app'));
    });

    test('hold no informers for placements that are forgotten, and only those of kinds in use', async () => {
      const idle = fixture.informers.names();
      await fixture.namespace('shop');
      await fixture.select([{ ...ofNamespace, name: 'shop' }]);
      assert.ok(fixture.informers.names().includes('secrets/v1'));
      assert.ok(!fixture.informers.names().includes('pods/v1'));
      await fixture.select([{ ...ofNamespace, name: 'shop', selectionScope: 'NamespaceOnly' }]);
      assert.deepEqual(fixture.informers.names().toSorted(), [...idle, 'namespaces/v1'].toSorted());
      fixture.selections.forget({ name: 'app' });
      await fixture.settle();
      assert.deepEqual(fixture.informers.names(), idle);
      await server.create(secrets, { metadata: { name: 'later', namespace: 'shop' } });
      await fixture.settle();
      assert.deepEqual(fixture.woken, []);
    });

    test('survive objects with keys that name properties of every object', async () => {
      await server.client.create(customResourceDefinitions, boatDefinition);
      await fixture.settle();
      await fixture.namespace('shop');
      const hostile = JSON.parse(
        '{"metadata":{"name":"one","namespace":"shop"},"spec":{"__proto__":{"a":1},"constructor":{},"deep":[[[[{}]]]]}}',
      ) as JsonObject & { metadata: object };
      await server.create(boats, hostile);
      const selection = await fixture.select([{ ...ofNamespace, name: 'shop' }]);
      assert.ok(isSelected(selection));
      const spec = selection.contentAt(1)?.['spec'] as JsonObject;
      assert.ok(Object.hasOwn(spec, '__proto__'));
      assert.equal(selection.sizes[1], Buffer.byteLength(JSON.stringify(selection.contentAt(1))) + 1);
    });
  });
}
