import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fleetNamespace, memberClusters } from '@flotilla/api';
import { deployments, pods } from '@flotilla/kube';
import { startTestFleet, type TestFleet } from '@flotilla/testkit';
import { defaultMemberShape, shapeOfMembers } from './file/fleet-shape.ts';

const minute = 60_000;
const key = { namespace: fleetNamespace, name: 'member-agent' };

describe('an agent that runs as a Deployment', () => {
  let fleet: TestFleet;
  before(async () => {
    const member = { ...defaultMemberShape('oslo'), agent: 'deployment' as const };
    fleet = await startTestFleet({ shape: { ...shapeOfMembers(0), members: [member] } });
  });
  after(() => fleet.stop());

  async function isAlive(): Promise<boolean> {
    const heartbeat = async (): Promise<string | undefined> => {
      const { status } = await fleet.hub.get(memberClusters, { name: 'oslo' });
      return status?.agentStatus?.[0]?.lastReceivedHeartbeat;
    };
    const before = await heartbeat();
    await fleet.clock.advance(3 * minute);
    return before !== (await heartbeat());
  }

  async function scale(replicas: number): Promise<void> {
    await fleet.member('oslo').patch(deployments, key, { type: 'merge', value: { spec: { replicas } } });
    await fleet.settle();
  }

  async function podNames(): Promise<(string | undefined)[]> {
    const labelSelector = 'app.kubernetes.io/name=member-agent';
    const { items } = await fleet.member('oslo').list(pods, { namespace: fleetNamespace, labelSelector });
    return items.map(({ metadata }) => metadata.name);
  }

  test('has a pod, and sends heartbeats', async () => {
    assert.equal((await podNames()).length, 1);
    assert.equal(await isAlive(), true);
  });

  test('stops when it is scaled to zero, and starts when it is scaled up', async () => {
    await scale(0);
    assert.deepEqual(await podNames(), []);
    assert.equal(await isAlive(), false);
    await scale(2);
    assert.equal((await podNames()).length, 2);
    assert.equal(await isAlive(), true);
  });

  test('runs on while one of its pods is replaced', async () => {
    const [first = ''] = await podNames();
    await fleet.member('oslo').delete(pods, { namespace: fleetNamespace, name: first });
    await fleet.settle();
    assert.equal((await podNames()).length, 2);
    assert.equal(await isAlive(), true);
  });

  test('keeps its scale when the member is stopped and started', async () => {
    await scale(0);
    await fleet.faults.stop('oslo');
    await fleet.faults.start('oslo');
    await fleet.settle();
    assert.deepEqual(await podNames(), []);
    assert.equal(await isAlive(), false);
    await scale(1);
    assert.equal(await isAlive(), true);
  });

  test('is not affected by workloads that fail', async () => {
    await fleet.faults.fail('oslo');
    assert.equal(await isAlive(), true);
    await fleet.faults.start('oslo');
  });
});
