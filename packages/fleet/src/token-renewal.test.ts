import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { definitions, fleetNamespace, memberClusters } from '@flotilla/api';
import { requestToken } from '@flotilla/client';
import { isForbidden, namespaces, roleBindings, roles, serviceAccounts } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { memberUser, registerMember } from './member-credentials.ts';
import { allowTokenRenewal } from './token-renewal-right.ts';

describe('the renewal of a member’s token', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ housekeeping: true, definitions: await definitions() });
    await server.create(namespaces, { metadata: { name: fleetNamespace } });
    await registerMember(server.client, 'lake');
    const sea = await registerMember(server.client, 'sea');
    await allowTokenRenewal(server.client, sea);
    await allowTokenRenewal(server.client, sea);
  });
  after(() => server.stop());

  async function mayRequest(member: string, name: string, namespace = fleetNamespace): Promise<boolean> {
    const client = server.connect({ user: memberUser(member) });
    try {
      await requestToken(client, { namespace, name }, 3600);
      return true;
    } catch (error) {
      if (isForbidden(error)) return false;
      throw error;
    }
  }

  test('a member may request tokens for its own account, and for no other', async () => {
    assert.equal(await mayRequest('sea', 'sea-hub-cluster-access'), true);
    assert.equal(await mayRequest('sea', 'lake-hub-cluster-access'), false);
    assert.equal(await mayRequest('sea', 'default'), false);
    assert.equal(await mayRequest('sea', 'sea-hub-cluster-access', 'default'), false);
    assert.equal(await mayRequest('lake', 'lake-hub-cluster-access'), false);
  });

  test('that right ends with the MemberCluster', async () => {
    await server.client.delete(memberClusters, { name: 'sea' });
    await server.settle();
    assert.equal(await mayRequest('sea', 'sea-hub-cluster-access'), false);
    const left = await Promise.all(
      [roles, roleBindings].map((kind) => server.client.list(kind, { namespace: fleetNamespace })),
    );
    assert.deepEqual(
      left.flatMap(({ items }) => items),
      [],
    );
    assert.ok(await server.find(serviceAccounts, { namespace: fleetNamespace, name: 'sea-hub-cluster-access' }));
  });
});
