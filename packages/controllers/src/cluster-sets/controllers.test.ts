import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { managedClusters, managedClusterSetBindings, managedClusterSets, type ManagedCluster } from '@flotilla/api';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const setLabel = 'cluster.open-cluster-management.io/clusterset';

describe('cluster sets of a hub', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['cluster-sets'] });
  });
  after(() => hub.stop());

  async function said(name: string): Promise<string | undefined> {
    await hub.settle();
    const { status } = await hub.client.get(managedClusterSets, { name });
    return status?.conditions?.[0]?.message;
  }

  function addCluster(name: string, labels: Record<string, string>): Promise<ManagedCluster> {
    return hub.server.create(managedClusters, { metadata: { name, labels } });
  }

  test('are a default one and a global one, which return', async () => {
    assert.deepEqual([await said('default'), await said('global')], Array(2).fill('No ManagedCluster selected'));
    await hub.client.delete(managedClusterSets, { name: 'default' });
    assert.equal(await said('default'), 'No ManagedCluster selected');
  });

  test('count their clusters, and write once for many that come together', async () => {
    const spec = {
      clusterSelector: { selectorType: 'LabelSelector', labelSelector: { matchLabels: { env: 'prod' } } },
    };
    await hub.server.create(managedClusterSets, { metadata: { name: 'prod' }, spec });
    await hub.settle();
    const { revision } = hub;
    for (let index = 0; index < 10; index++) {
      await addCluster(`c${index}`, { [setLabel]: 'default', ...(index < 3 && { env: 'prod' }) });
    }
    assert.equal(await said('default'), '10 ManagedClusters selected');
    assert.equal(await said('prod'), '3 ManagedClusters selected');
    assert.equal(hub.revision - revision, 10 + 3, 'ten clusters, and one write for each set');
  });

  test('follow clusters that move or go', async () => {
    const move = { type: 'merge', value: { metadata: { labels: { [setLabel]: 'blue', env: 'prod' } } } } as const;
    await hub.client.patch(managedClusters, { name: 'c9' }, move);
    await hub.client.delete(managedClusters, { name: 'c0' });
    assert.deepEqual(
      [await said('default'), await said('global'), await said('prod')],
      ['8 ManagedClusters selected', '9 ManagedClusters selected', '3 ManagedClusters selected'],
    );
  });

  test('are bound once they exist', async () => {
    const key = { namespace: 'default', name: 'blue' };
    await hub.server.create(managedClusterSetBindings, { metadata: key, spec: { clusterSet: 'blue' } });
    const reason = async () => {
      await hub.settle();
      const { status } = await hub.client.get(managedClusterSetBindings, key);
      return status?.conditions?.[0]?.reason;
    };
    assert.equal(await reason(), 'ClusterSetNotFound');
    await hub.server.create(managedClusterSets, { metadata: { name: 'blue' } });
    assert.deepEqual([await reason(), await said('blue')], ['ClusterSetBound', '1 ManagedClusters selected']);
    await hub.client.delete(managedClusterSets, { name: 'blue' });
    assert.equal(await reason(), 'ClusterSetNotFound');
  });

  test('are not written by a restart', async () => {
    const { revision } = hub;
    await hub.stopControllers();
    await hub.startControllers();
    assert.equal(hub.revision, revision);
  });
});
