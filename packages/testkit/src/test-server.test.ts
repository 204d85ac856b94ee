import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configMaps, namespaces } from '@flotilla/kube';
import { configMap, settle, ManualClock, startTestServer } from './index.ts';

describe('a server for a test', () => {
  test('serves clients and raw requests from one store', async () => {
    const server = await startTestServer();
    await server.client.create(configMaps, configMap('a', { key: 'value' }));
    const { status, body } = await server.request('GET', '/api/v1/namespaces/default/configmaps/a');
    assert.deepEqual([status, body['data']], [200, { key: 'value' }]);
    assert.equal(await server.find(configMaps, { namespace: 'default', name: 'b' }), undefined);
    await server.stop();
  });

  test('authorizes other users by its own roles', async () => {
    const server = await startTestServer();
    const client = server.connect({ user: { name: 'bob', groups: ['system:authenticated'] } });
    await assert.rejects(client.list(configMaps, { namespace: 'default' }), { code: 403 });
    await server.stop();
  });

  test('empties a deleted namespace only with housekeeping', async () => {
    for (const housekeeping of [false, true]) {
      const server = await startTestServer({ housekeeping });
      await server.create(namespaces, { metadata: { name: 'apps' } });
      await server.settle();
      await server.client.delete(namespaces, { name: 'apps' });
      await server.settle();
      assert.equal((await server.find(namespaces, { name: 'apps' })) === undefined, housekeeping);
      await server.stop();
    }
  });
});

test('settling fails if work never ends', async () => {
  await assert.rejects(
    settle(new ManualClock(), () => false, { timeoutMs: 500 }),
    /still busy after 0.5 seconds/,
  );
});
