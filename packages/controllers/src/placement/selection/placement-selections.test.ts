import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  deployments,
  namespaces,
  secrets,
  type JsonObject,
} from '@flotilla/kube';
import { configMap, deployment, startTestServer, type TestServer } from '@flotilla/testkit';
import { isSelected } from './selection.ts';
import {
  boatDefinition,
  boats,
  ofConfigMap,
  ofNamespace,
  placement,
  SelectionsFixture,
  withoutViews,
} from './selections.testing.ts';

for (const isView of [true, false]) {
  describe(`selections ${isView ? 'over a view of the server' : 'over a list and a watch'}`, () => {
    let fixture: SelectionsFixture;
    let server: TestServer;

    beforeEach(async () => {
      server = await startTestServer();
      fixture = new SelectionsFixture(server, isView ? server.client : withoutViews(server));
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
      assert.deepEqual(fixture.informers.names(), []);
      const idle = [`customresourcedefinitions.apiextensions.k8s.io/v1${isView ? '' : ' (metadata)'}`];
      await fixture.namespace('shop');
      await fixture.select([{ ...ofNamespace, name: 'shop' }]);
      assert.ok(fixture.informers.names().includes('secrets/v1'));
      assert.ok(!fixture.informers.names().includes('pods/v1'));
      await fixture.select([{ ...ofNamespace, name: 'shop', selectionScope: 'NamespaceOnly' }]);
      assert.deepEqual(fixture.informers.names().toSorted(), [...idle, 'namespaces/v1']);
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
