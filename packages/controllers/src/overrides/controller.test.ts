import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clusterResourceBindings, namespacedOverrides, clusterOverrides, type OverrideSnapshot } from '@flotilla/api';
import { namespaces, type KubeObject } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const families = [
  { ...clusterOverrides, selectors: 'clusterResourceSelectors', key: { name: 'o' } },
  { ...namespacedOverrides, selectors: 'resourceSelectors', key: { namespace: 'app', name: 'o' } },
];

for (const { override, snapshot, selectors, key } of families) {
  describe(`the snapshots of a ${override.kind}`, () => {
    let hub: TestHub;
    before(async () => {
      hub = await startTestHub({ controllers: ['overrides'] });
      await hub.server.create(namespaces, { metadata: { name: 'app' } });
    });
    after(() => hub.stop());

    function spec(color: string) {
      const jsonPatchOverrides = [{ op: 'add', path: '/data/color', value: color }];
      const selected = { group: '', version: 'v1', kind: 'ConfigMap', name: 'web' };
      return { [selectors]: [selected], policy: { overrideRules: [{ jsonPatchOverrides }] } };
    }

    async function paint(color: string): Promise<void> {
      await hub.client.patch(override, key, { type: 'merge', value: { spec: spec(color) } });
      await hub.settle();
    }

    /** `o-0 false`: each snapshot, and whether it is the latest. */
    async function found(): Promise<string[]> {
      const { items } = await hub.client.list<OverrideSnapshot>(snapshot);
      const latest = (one: KubeObject) => one.metadata.labels?.['kubernetes-fleet.io/is-latest-snapshot'];
      return items.map((one) => `${one.metadata.name} ${latest(one)}`);
    }

    test('follow its changes', async () => {
      await hub.server.create(override, { metadata: { ...key }, spec: spec('red') });
      await hub.settle();
      assert.deepEqual(await found(), ['o-0 true']);
      await paint('blue');
      assert.deepEqual(await found(), ['o-0 false', 'o-1 true']);
      const { spec: stored } = await hub.client.get(snapshot, { ...key, name: 'o-1' });
      assert.deepEqual(stored.overrideSpec, (await hub.client.get(override, key)).spec);
    });

    test('come back if they are deleted or relabelled by hand', async () => {
      await hub.client.delete(snapshot, { ...key, name: 'o-1' });
      await hub.settle();
      assert.deepEqual(await found(), ['o-0 false', 'o-1 true']);
      const labels = { 'kubernetes-fleet.io/is-latest-snapshot': 'false' };
      await hub.client.patch(snapshot, { ...key, name: 'o-1' }, { type: 'merge', value: { metadata: { labels } } });
      await hub.settle();
      assert.deepEqual(await found(), ['o-0 false', 'o-1 true']);
    });

    test('are kept while a binding names them, beyond the history limit', async () => {
      const named = override.namespaced
        ? { resourceOverrideSnapshots: [{ namespace: 'app', name: 'o-0' }] }
        : { clusterResourceOverrideSnapshots: ['o-0'] };
      const clusterDecision = { clusterName: 'sea', selected: true, reason: '' };
      const bound = {
        state: 'Bound',
        resourceSnapshotName: 's',
        schedulingPolicySnapshotName: 'p',
        targetCluster: 'sea',
      };
      await hub.server.create(clusterResourceBindings, {
        metadata: { name: 'b' },
        spec: { ...bound, clusterDecision, ...named },
      });
      for (let index = 2; index < 12; index++) await paint(`c${index}`);
      const kept = (await found()).map((one) => one.split(' ')[0]);
      assert.deepEqual(kept, ['o-0', 'o-10', 'o-11', ...[2, 3, 4, 5, 6, 7, 8, 9].map((index) => `o-${index}`)]);
      await hub.client.delete(clusterResourceBindings, { name: 'b' });
      await hub.settle();
      assert.equal((await found()).length, 10);
      assert.equal((await found()).includes('o-0 false'), false);
    });

    test('are not written after a restart', async () => {
      await hub.stopControllers();
      const { revision } = hub;
      await hub.startControllers();
      await hub.settle();
      assert.equal(hub.revision, revision);
    });

    test('are deleted with it', async () => {
      await hub.client.delete(override, key);
      await hub.settle();
      assert.deepEqual(await found(), []);
      assert.equal(await hub.find(override, key), undefined);
    });
  });
}
