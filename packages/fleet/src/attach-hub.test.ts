import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { internalMemberClusters, memberClusters, placementApi, works, type InternalMemberCluster } from '@flotilla/api';
import { createClient, fixedCredentials, httpTransport, type Client } from '@flotilla/client';
import { apiVersionOf, formatTime, leases } from '@flotilla/kube';
import { attachHub, type AttachedHub } from './attach-hub.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { registerMembers } from './members.testing.ts';

describe("the hub's controllers against an existing server, over sockets,", () => {
  let server: RunningServer;
  const clients: Client[] = [];
  const hubs: AttachedHub[] = [];

  before(async () => {
    server = await startServer();
  });
  after(async () => {
    await Promise.all(hubs.map((hub) => hub.stop()));
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
  });

  function connect(): Client {
    const { server: identity, token } = server.credentials;
    const credentials = fixedCredentials({ authorization: `Bearer ${token}`, authority: identity.authority });
    const client = createClient(httpTransport({ server: server.url, credentials }));
    clients.push(client);
    return client;
  }

  function attach(identity: string): AttachedHub {
    const times = { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 20 };
    const hub = attachHub({ client: connect(), election: { identity, ...times } });
    hubs.push(hub);
    return hub;
  }

  test("install the fleet's CRDs and make a member ready to join", async () => {
    const first = attach('first');
    await first.started;
    const client = connect();
    await registerMembers(client, 'sea');
    const internal = await client.get(internalMemberClusters, { namespace: 'fleet-member-sea', name: 'sea' });
    assert.equal(internal.spec.state, 'Join');
    const lease = await client.get(leases, { namespace: 'fleet-system', name: '136224848560.hub.fleet.azure.com' });
    assert.equal((lease['spec'] as { holderIdentity: string }).holderIdentity, 'first');
  });

  test('delete the objects of a member that has left', async () => {
    const client = connect();
    const key = { namespace: 'fleet-member-sea', name: 'sea' };
    const metadata = { namespace: key.namespace, name: 'shop', finalizers: ['kubernetes-fleet.io/work-cleanup'] };
    await client.create(works, { apiVersion: apiVersionOf(placementApi), kind: 'Work', metadata });
    await client.delete(memberClusters, { name: 'sea' });
    const internal = await untilAskedToLeave(client);
    const condition = { type: 'Joined', status: 'False', reason: 'Left', message: '' } as const;
    const conditions = [{ ...condition, lastTransitionTime: formatTime(new Date()) }];
    const status = { agentStatus: [{ type: 'MemberAgent', conditions }] };
    const { resourceVersion } = await client.list(memberClusters);
    await client.update(internalMemberClusters, { ...internal, status }, { subresource: 'status' });
    const ending = new AbortController();
    for await (const { type } of client.watch(memberClusters, { resourceVersion, signal: ending.signal })) {
      if (type === 'DELETED') ending.abort();
    }
    await assert.rejects(client.get(internalMemberClusters, key), /not found/);
  });

  async function untilAskedToLeave(client: Client): Promise<InternalMemberCluster> {
    for await (const { object } of client.watch(internalMemberClusters, {
      resourceVersion: '0',
      signal: new AbortController().signal,
    })) {
      if (object.spec.state === 'Leave') return object;
    }
    return assert.fail('the watch ended first');
  }

  test('wait while another replica leads, and take over when it stops', async () => {
    const second = attach('second');
    assert.equal(second.isLeader(), false);
    await hubs[0]?.stop();
    await second.started;
    await registerMembers(connect(), 'lake');
    assert.equal(second.isLeader(), true);
    await second.stop();
    assert.equal(second.isLeader(), false);
  });

  test('reject with the reason if they cannot start', async () => {
    const client = await server.clientAs({ name: 'stranger', groups: [] });
    clients.push(client);
    const hub = attachHub({ client });
    await assert.rejects(hub.started, /forbidden/);
    await assert.rejects(hub.stopped, /forbidden/);
    assert.ok((await connect().list(memberClusters)).items.length > 0);
  });
});
