/** The whole stage on a hub: selection, snapshots and status, with the rights of the hub's user. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  clusterResourcePlacements,
  clusterResourceSnapshots,
  placementLabel,
  resourcePlacements,
  resourceSnapshots,
} from '@flotilla/api';
import { configMaps, namespaces } from '@flotilla/kube';
import { configMap, startTestHub, type TestHub } from '@flotilla/testkit';

const selectNamespace = { group: '', version: 'v1', kind: 'Namespace', name: 'shop' };

describe('a hub', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['placement'] });
    await hub.server.create(namespaces, { metadata: { name: 'shop' } });
    await hub.client.create(configMaps, inShop('settings', 'high'));
  });
  after(() => hub.stop());

  function inShop(name: string, tide: string) {
    const { metadata, ...map } = configMap(name, { tide });
    return { ...map, metadata: { ...metadata, namespace: 'shop' } };
  }

  async function place(name: string, resourceSelectors: readonly object[] = [selectNamespace]): Promise<void> {
    await hub.server.create(clusterResourcePlacements, { metadata: { name }, spec: { resourceSelectors } });
    await hub.settle();
  }

  /** Names of the resources in each group of snapshots, oldest first. */
  async function snapshots(placement: string): Promise<string[]> {
    const labelSelector = `${placementLabel}=${placement}`;
    const { items } = await hub.client.list(clusterResourceSnapshots, { labelSelector });
    return items.map(({ metadata, spec }) => {
      const resources = spec.selectedResources.map((one) => (one['metadata'] as { name: string }).name);
      return `${metadata.name}: ${resources.join(' ')}`;
    });
  }

  test('takes a snapshot of a namespace with all that is in it', async () => {
    await place('web');
    assert.deepEqual(await snapshots('web'), ['web-0-snapshot: shop settings']);
    const { status } = await hub.client.get(clusterResourcePlacements, { name: 'web' });
    assert.deepEqual(status?.selectedResources, [
      { version: 'v1', kind: 'Namespace', name: 'shop' },
      { version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
    ]);
  });

  test('takes another when something is added, changed or removed', async () => {
    await hub.client.create(configMaps, inShop('prices', 'high'));
    await hub.settle();
    await hub.client.update(configMaps, inShop('prices', 'low'));
    await hub.settle();
    await hub.client.delete(configMaps, { namespace: 'shop', name: 'prices' });
    await hub.settle();
    assert.deepEqual(await snapshots('web'), [
      'web-0-snapshot: shop settings',
      'web-1-snapshot: shop prices settings',
      'web-2-snapshot: shop prices settings',
      'web-3-snapshot: shop settings',
    ]);
  });

  test('names a selector that cannot be used, and goes on when it can', async () => {
    await place('wrong', [{ ...selectNamespace, name: 'kube-system' }]);
    const condition = async (): Promise<string> => {
      const { status } = await hub.client.get(clusterResourcePlacements, { name: 'wrong' });
      const { reason, message } = status?.conditions?.[0] ?? {};
      return `${reason}: ${message}`;
    };
    assert.equal(
      await condition(),
      'InvalidResourceSelectors: The resource selectors are invalid: failed to process the request due to a client error: invalid clusterRresourcePlacement wrong: namespace kube-system is not allowed to propagate',
    );
    assert.deepEqual(await snapshots('wrong'), []);
    await hub.client.patch(
      clusterResourcePlacements,
      { name: 'wrong' },
      {
        type: 'merge',
        value: { spec: { resourceSelectors: [selectNamespace] } },
      },
    );
    await hub.settle();
    assert.equal(await condition(), 'SchedulePending: Scheduling has not completed');
  });

  test('places what is in the namespace of a ResourcePlacement', async () => {
    const resourceSelectors = [{ group: '', version: 'v1', kind: 'ConfigMap', name: 'settings' }];
    const metadata = { namespace: 'shop', name: 'api' };
    await hub.server.create(resourcePlacements, { metadata, spec: { resourceSelectors } });
    await hub.settle();
    const { spec } = await hub.client.get(resourceSnapshots, { namespace: 'shop', name: 'api-0-snapshot' });
    assert.deepEqual(spec.selectedResources, [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace: 'shop', name: 'settings' },
        data: { tide: 'high' },
      },
    ]);
  });

  test('writes nothing after a restart', async () => {
    await hub.stopControllers();
    const { revision } = hub;
    await hub.startControllers();
    await hub.clock.advance(3_600_000);
    assert.equal(hub.revision, revision);
  });

  test('removes the snapshots of a namespace that is deleted with its placements', async () => {
    await hub.client.delete(namespaces, { name: 'shop' });
    await hub.settle();
    assert.equal(await hub.find(namespaces, { name: 'shop' }), undefined);
    assert.equal((await snapshots('web')).at(-1), 'web-4-snapshot: ');
  });
});
