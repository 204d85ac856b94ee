/** In a process of its own, because it starts threads. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  clusterResourcePlacements,
  conditionOf,
  memberClusters,
  placementConditionType,
  type Placement,
} from '@flotilla/api';
import { createClient, fixedCredentials, httpTransport, type Client } from '@flotilla/client';
import { configMaps, namespaces } from '@flotilla/kube';
import { parseFaults, noFaults } from '../faults/member-faults.ts';
import { objectStates } from '../object-states.ts';
import { startFleet, type RunningFleet } from '../start-fleet.ts';
import type { RunningMember } from '../start-member.ts';

describe('members in a thread of their own', { timeout: 60_000 }, () => {
  let fleet: RunningFleet;
  let hub: Client;
  let oslo: RunningMember;
  let client: Client;
  before(async () => {
    fleet = await startFleet({ members: ['oslo', 'rome', 'bonn'], memberThreads: 1 });
    hub = await fleet.hub.client();
    oslo = fleet.members.get('oslo')!;
    client = oslo.client();
  });
  after(async () => {
    await Promise.all([hub.close(), client.close()]);
    await fleet.stop();
  });

  test('join the hub, and apply what is placed on them', async () => {
    assert.equal((await hub.list(memberClusters)).items.length, 3);
    const metadata = { name: 'shop' };
    await hub.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata });
    const note = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'shop', name: 'note' },
      data: { a: 'b' },
    };
    await hub.create(configMaps, note);
    await hub.create(clusterResourcePlacements, {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: 'ClusterResourcePlacement',
      metadata,
      spec: { resourceSelectors: [{ group: '', version: 'v1', kind: 'Namespace', name: 'shop' }] },
    } as unknown as Placement);
    const available = placementConditionType(clusterResourcePlacements, 'available');
    const stop = new AbortController();
    for await (const { status } of objectStates(hub, clusterResourcePlacements, { signal: stop.signal })) {
      if (conditionOf(status?.conditions, available)?.status === 'True') stop.abort();
    }
    for (const member of fleet.members.values()) {
      const there = member.client();
      assert.deepEqual((await there.get(configMaps, note.metadata)).data, note.data);
      await there.close();
    }
  });

  test('are reached through the port of the hub, with their own tokens', async () => {
    const [own, foreign] = [accessThroughPort(oslo, oslo), accessThroughPort(oslo, fleet.members.get('rome')!)];
    const key = { namespace: 'default', name: 'large' };
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data: { text: 'x'.repeat(900_000) } };
    await own.create(configMaps, object);
    assert.deepEqual((await own.get(configMaps, key)).data, object.data);
    await assert.rejects(own.create(configMaps, { ...object, data: { text: 'x'.repeat(4_000_000) } }), { code: 413 });
    await assert.rejects(foreign.get(configMaps, key), { code: 401 });
    await Promise.all([own.close(), foreign.close()]);
  });

  test('can be watched', async () => {
    const stop = new AbortController();
    const watch = client.watch(configMaps, { namespace: 'default', resourceVersion: '0', signal: stop.signal });
    const metadata = { namespace: 'default', name: 'seen' };
    const created = client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    for await (const { object } of watch) if (object.metadata.name === 'seen') stop.abort();
    await created;
  });

  test('break and recover', async () => {
    const version = { method: 'GET', path: '/version' };
    await oslo.setFaults(parseFaults('stop'));
    assert.equal(oslo.faults().isStopped, true);
    await assert.rejects(client.request(version), { code: 503, message: 'the cluster oslo is stopped' });
    await oslo.setFaults(noFaults);
    assert.equal((await client.request(version)).status, 200);
  });
});

/** A client of one member with the token of another. */
function accessThroughPort({ access: { cluster } }: RunningMember, { access: { user } }: RunningMember): Client {
  const authority = Buffer.from(String(cluster['certificate-authority-data']), 'base64').toString();
  const credentials = fixedCredentials({ authorization: `Bearer ${user['token']}`, authority });
  return createClient(httpTransport({ server: String(cluster['server']), credentials }));
}
