import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clusterProfiles, memberClusters } from '@flotilla/api';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const minute = 60_000;
const key = { namespace: 'fleet-system', name: 'sea' };

describe('the inventory of a hub', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub();
    await hub.addMember('sea');
  });
  after(() => hub.stop());

  async function health(): Promise<string | undefined> {
    const { status } = await hub.client.get(clusterProfiles, key);
    return status?.conditions?.[0]?.reason;
  }

  async function beat(): Promise<void> {
    await hub.report('sea', { agentStatus: [hub.heartbeat('True')] });
    await hub.settle();
  }

  test('has a profile for a member that has joined', async () => {
    assert.equal(await hub.find(clusterProfiles, key), undefined);
    await beat();
    assert.equal(await health(), 'MemberClusterAPIServerHealthy');
    const { metadata } = await hub.member('sea');
    assert.ok(metadata.finalizers?.includes('kubernetes-fleet.io/cluster-profile-cleanup'));
  });

  test('is not written for a heartbeat without changes', async () => {
    const { metadata } = await hub.client.get(clusterProfiles, key);
    await hub.clock.advance(minute);
    await beat();
    assert.equal((await hub.client.get(clusterProfiles, key)).metadata.resourceVersion, metadata.resourceVersion);
  });

  test('notices without an event that heartbeats are overdue, and that they are back', async () => {
    await hub.clock.advance(2 * minute);
    assert.equal(await health(), 'MemberAgentHeartbeatLost');
    await beat();
    assert.equal(await health(), 'MemberClusterAPIServerHealthy');
  });

  test('gets a deleted profile back', async () => {
    await hub.client.delete(clusterProfiles, key);
    await hub.settle();
    assert.equal(await health(), 'MemberClusterAPIServerHealthy');
  });

  test('is not written after a restart of a hub that was down for an hour', async () => {
    await hub.stopControllers();
    const { metadata } = await hub.client.get(clusterProfiles, key);
    await hub.clock.advance(60 * minute);
    await hub.startControllers();
    assert.equal((await hub.client.get(clusterProfiles, key)).metadata.resourceVersion, metadata.resourceVersion);
  });

  test('loses the profile of a member that leaves', async () => {
    await hub.client.delete(memberClusters, { name: 'sea' });
    await hub.settle();
    assert.equal(await hub.find(clusterProfiles, key), undefined);
    assert.ok(await hub.find(memberClusters, { name: 'sea' }), 'its agent has not left');
  });
});
