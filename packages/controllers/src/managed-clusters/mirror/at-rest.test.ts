import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { managedClusters, managedClusterSetBindings, ocmPlacements } from '@flotilla/api';
import { startTestHub, type TestHub } from '@flotilla/testkit';

const minute = 60_000;
const members = ['lake', 'moor', 'sea'];

/** The agent writes its report, and the hub copies it to the MemberCluster. */
const writesPerHeartbeat = 2;

describe('mirrors of members at rest', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({
      controllers: ['clusters', 'managed-clusters', 'cluster-sets', 'cluster-availability', 'ocm-placement'],
    });
    for (const name of members) await hub.addMember(name);
    await hub.server.create(managedClusterSetBindings, {
      metadata: { namespace: 'default', name: 'global' },
      spec: { clusterSet: 'global' },
    });
    await hub.server.create(ocmPlacements, { metadata: { namespace: 'default', name: 'all' }, spec: {} });
    await beatAll();
  });
  after(() => hub.stop());

  /** Reports of all members: times and usage are new with each. */
  async function beatAll(region = 'north', cpu = '8'): Promise<void> {
    const observationTime = new Date(hub.clock.now()).toISOString();
    for (const name of members) {
      await hub.report(name, {
        agentStatus: [hub.heartbeat('True')],
        properties: { region: { value: region, observationTime } },
        resourceUsage: {
          capacity: { cpu },
          allocatable: { cpu },
          available: { cpu: `${(hub.clock.now() / minute) % 7}` },
          observationTime,
        },
      });
    }
    await hub.settle();
  }

  async function writesDuring(work: () => Promise<void>): Promise<number> {
    const before = hub.revision;
    await work();
    return hub.revision - before;
  }

  async function claims(): Promise<unknown[]> {
    const { items } = await hub.client.list(managedClusters);
    return items.map(({ status }) => [status?.clusterClaims?.[0]?.value, status?.allocatable?.['cpu']]);
  }

  test('are selected by a Placement', async () => {
    const { status } = await hub.client.get(ocmPlacements, { namespace: 'default', name: 'all' });
    assert.equal(status?.numberOfSelectedClusters, members.length);
  });

  test('cause no write beside the heartbeats', async () => {
    // Shorter than events live, whose removal is a write too.
    const beats = 30;
    const writes = await writesDuring(async () => {
      for (let beat = 0; beat < beats; beat++) {
        await hub.clock.advance(minute);
        await beatAll();
      }
    });
    assert.equal(writes, beats * members.length * writesPerHeartbeat);
  });

  test('follow a property and a resource with one write each, once they change', async () => {
    const writes = await writesDuring(() => beatAll('south', '16'));
    assert.equal(writes, members.length * (writesPerHeartbeat + 1));
    assert.deepEqual(
      await claims(),
      members.map(() => ['south', '16']),
    );
  });
});
