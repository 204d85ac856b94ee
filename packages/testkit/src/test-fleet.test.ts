import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memberClusters, type Work } from '@flotilla/api';
import { configMaps, namespaces } from '@flotilla/kube';
import { configMap, deployment, startTestFleet, type TestFleet } from './index.ts';

function conditionsOf({ status }: Work): Record<string, string> {
  return Object.fromEntries((status?.conditions ?? []).map((one) => [one.type, one.status]));
}

describe('a fleet for a test', () => {
  let fleet: TestFleet;
  before(async () => {
    fleet = await startTestFleet({ members: ['oslo', 'rome'] });
  });
  after(() => fleet.stop());

  test('has members that have joined when it is started', async () => {
    const { items } = await fleet.hub.list(memberClusters);
    const joined = items.map(({ metadata, status }) => [
      metadata.name,
      status?.conditions?.find(({ type }) => type === 'Joined')?.status,
    ]);
    assert.deepEqual(joined, [
      ['oslo', 'True'],
      ['rome', 'True'],
    ]);
  });

  test('applies a Work on its member alone before settling', async () => {
    const work = await fleet.createWork('oslo', 'prices', configMap('prices', { currency: 'EUR' }), deployment('till'));
    assert.deepEqual(conditionsOf(work), { Applied: 'True', Available: 'True' });
    const key = { namespace: 'default', name: 'prices' };
    assert.deepEqual((await fleet.member('oslo').get(configMaps, key))['data'], { currency: 'EUR' });
    await assert.rejects(fleet.member('rome').get(configMaps, key), { code: 404 });
  });

  test('never reports a Deployment as available whose image does not exist', async () => {
    const work = await fleet.createWork('rome', 'broken', deployment('broken', { image: 'random-image-name' }));
    assert.deepEqual(conditionsOf(work), { Applied: 'True', Available: 'False' });
  });

  test('settles when housekeeping of the hub has emptied a deleted namespace', async () => {
    const metadata = { namespace: 'harbour' };
    await fleet.hub.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'harbour' } });
    for (let at = 0; at < 100; at++) await fleet.hub.create(configMaps, configMap(`crate-${at}`, {}, metadata));
    await fleet.hub.delete(namespaces, { name: 'harbour' });
    await fleet.settle();
    await assert.rejects(fleet.hub.get(namespaces, { name: 'harbour' }), { code: 404 });
  });

  test('sends heartbeats while its clock advances', async () => {
    const heartbeat = async (): Promise<string | undefined> => {
      const { status } = await fleet.hub.get(memberClusters, { name: 'oslo' });
      return status?.agentStatus?.[0]?.lastReceivedHeartbeat;
    };
    const first = await heartbeat();
    await fleet.clock.advance(2 * 60_000);
    assert.ok((await heartbeat())! > first!);
  });

  test('throws for a member that it does not have', () => {
    assert.throws(() => fleet.member('bergen'), /no member bergen/);
  });
});
