import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { managedClusters, memberClusters, type ManagedCluster } from '@flotilla/api';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const minute = 60_000;

describe('a fleet with two faces', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['clusters', 'managed-clusters'] });
    await hub.addMember('sea');
  });
  after(() => hub.stop());

  const mirror = (): Promise<ManagedCluster> => hub.client.get(managedClusters, { name: 'sea' });

  async function available(): Promise<string | undefined> {
    const { status } = await mirror();
    return status?.conditions?.find(({ type }) => type === 'ManagedClusterConditionAvailable')?.status;
  }

  async function beat(value = 'north'): Promise<void> {
    const observationTime = new Date(hub.clock.now()).toISOString();
    const properties = { region: { value, observationTime } };
    await hub.report('sea', { agentStatus: [hub.heartbeat('True')], properties });
    await hub.settle();
  }

  test('shows a member as a ManagedCluster once it has joined', async () => {
    assert.equal(await hub.find(managedClusters, { name: 'sea' }), undefined);
    await beat();
    assert.equal(await available(), 'True');
  });

  test('writes nothing to the ManagedCluster for a heartbeat that brings nothing new', async () => {
    const { metadata } = await mirror();
    for (let beats = 0; beats < 7; beats++) {
      await hub.clock.advance(minute);
      await beat();
    }
    assert.equal((await mirror()).metadata.resourceVersion, metadata.resourceVersion);
    await beat('south');
    assert.deepEqual((await mirror()).status?.clusterClaims, [{ name: 'region', value: 'south' }]);
  });

  test('follows labels and taints of the member', async () => {
    const member = await hub.member('sea');
    const labels = { ...member.metadata.labels, env: 'prod' };
    const spec = { ...member.spec, taints: [{ key: 'cordon-key', effect: 'NoSchedule' as const }] };
    await hub.client.update(memberClusters, { ...member, metadata: { ...member.metadata, labels }, spec });
    await hub.settle();
    const mirrored = await mirror();
    assert.equal(mirrored.metadata.labels?.['env'], 'prod');
    assert.deepEqual(
      mirrored.spec?.taints?.map(({ key }) => key),
      ['cordon-key'],
    );
  });

  test('notices without an event that heartbeats stop, and that they are back', async () => {
    await hub.clock.advance(6 * minute);
    await hub.settle();
    assert.equal(await available(), 'Unknown');
    assert.equal((await mirror()).spec?.taints?.at(-1)?.key, 'cluster.open-cluster-management.io/unreachable');
    await beat('south');
    assert.equal(await available(), 'True');
    assert.equal((await mirror()).spec?.taints?.length, 1);
  });

  test('gets a deleted ManagedCluster back', async () => {
    await hub.client.delete(managedClusters, { name: 'sea' });
    await hub.settle();
    assert.equal(await available(), 'True');
  });

  test('leaves a ManagedCluster of a user alone, and says so in the MemberCluster until it is gone', async () => {
    const owned = (await mirror()).metadata.ownerReferences ?? [];
    const adopt = (ownerReferences: typeof owned): Promise<unknown> => {
      const value = { metadata: { ownerReferences } };
      return hub.client.patch(managedClusters, { name: 'sea' }, { type: 'merge', value });
    };
    await adopt([]);
    await hub.settle();
    const { metadata } = await mirror();
    await beat('west');
    assert.equal((await mirror()).metadata.resourceVersion, metadata.resourceVersion);
    assert.equal((await hub.conditions('sea'))['ManagedClusterMirrored'], 'False ManagedClusterExists');
    assert.ok((await hub.events()).includes('ManagedClusterExists'));
    await adopt(owned);
    await hub.settle();
    assert.equal((await hub.conditions('sea'))['ManagedClusterMirrored'], undefined);
    assert.equal((await mirror()).status?.clusterClaims?.[0]?.value, 'west');
  });

  test('writes nothing after a restart of a hub that was down for an hour', async () => {
    await hub.stopControllers();
    await hub.clock.advance(60 * minute);
    const { metadata } = await mirror();
    await hub.startControllers();
    assert.equal((await mirror()).metadata.resourceVersion, metadata.resourceVersion);
  });

  test('loses the ManagedCluster of a member that leaves', async () => {
    await hub.client.delete(memberClusters, { name: 'sea' });
    await hub.settle();
    assert.equal(await hub.find(managedClusters, { name: 'sea' }), undefined);
    assert.ok(await hub.find(memberClusters, { name: 'sea' }), 'its agent has not left');
  });
});
