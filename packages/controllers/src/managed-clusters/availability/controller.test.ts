import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { managedClusters, type Condition } from '@flotilla/api';
import { formatMicroTime, leases, namespaces } from '@flotilla/kube';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const minute = 60_000;
const leaseKey = { namespace: 'sea', name: 'managed-cluster-lease' };

describe('a ManagedCluster of an agent of OCM', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['cluster-availability'] });
    await hub.server.create(managedClusters, { metadata: { name: 'sea' } });
    await hub.settle();
  });
  after(() => hub.stop());

  async function taints(): Promise<string[]> {
    const { spec } = await hub.client.get(managedClusters, { name: 'sea' });
    return (spec?.taints ?? []).map(({ key }) => key);
  }

  /** Plays the registration, and the agent. */
  async function setConditions(...types: string[]): Promise<void> {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const conditions = types.map((type): Condition => {
      return { type, status: 'True', reason: 'Said', message: '', lastTransitionTime };
    });
    const cluster = await hub.client.get(managedClusters, { name: 'sea' });
    await hub.client.update(managedClusters, { ...cluster, status: { conditions } }, { subresource: 'status' });
    await hub.settle();
  }

  test('is unreachable until its agent reports', async () => {
    assert.deepEqual(await taints(), ['cluster.open-cluster-management.io/unreachable']);
    await setConditions('HubAcceptedManagedCluster', 'ManagedClusterConditionAvailable');
    assert.deepEqual(await taints(), []);
  });

  test('gets a lease with its namespace', async () => {
    assert.equal(await hub.find(leases, leaseKey), undefined);
    await hub.server.create(namespaces, { metadata: { name: 'sea' } });
    await hub.settle();
    assert.ok(await hub.find(leases, leaseKey));
  });

  test('stays available while its lease is renewed, and writes nothing', async () => {
    const { metadata } = await hub.client.get(managedClusters, { name: 'sea' });
    for (let renewals = 0; renewals < 7; renewals++) {
      await hub.clock.advance(minute);
      const lease = await hub.client.get(leases, leaseKey);
      const renewTime = formatMicroTime(new Date(hub.clock.now()));
      await hub.client.update(leases, { ...lease, spec: { ...lease.spec, renewTime } });
      await hub.settle();
    }
    const { metadata: now } = await hub.client.get(managedClusters, { name: 'sea' });
    assert.equal(now.resourceVersion, metadata.resourceVersion);
  });

  test('is unreachable when its lease is no longer renewed', async () => {
    await hub.clock.advance(5 * minute);
    await hub.settle();
    const { status } = await hub.client.get(managedClusters, { name: 'sea' });
    assert.equal(status?.conditions?.[1]?.reason, 'ManagedClusterLeaseUpdateStopped');
    assert.deepEqual(await taints(), ['cluster.open-cluster-management.io/unreachable']);
  });
});
