import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('the old paths of watches', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    for (const name of ['a', 'b']) await server.request('POST', configMaps, { body: { metadata: { name } } });
  });

  async function names(path: string): Promise<string[]> {
    const watch = await server.watch(path);
    return (await watch.events()).map(({ object }) => (object['metadata'] as { name: string }).name);
  }

  test('lead to a collection, in one namespace or in all', async () => {
    assert.deepEqual(await names('/api/v1/watch/namespaces/default/configmaps'), ['a', 'b']);
    assert.deepEqual(await names('/api/v1/watch/configmaps?watch=false'), ['a', 'b']);
  });

  test('lead to one object', async () => {
    assert.deepEqual(await names('/api/v1/watch/namespaces/default/configmaps/b'), ['b']);
    assert.deepEqual(await names('/api/v1/watch/namespaces/kube-system'), ['kube-system']);
  });

  test('to one object take no field selector but for its name', async () => {
    const path = '/api/v1/watch/namespaces/default/configmaps/b?fieldSelector=metadata.name%3Da';
    const { status, body } = await server.request('GET', path);
    assert.deepEqual([status, body['message']], [400, "fieldSelector metadata.name doesn't match requested name"]);
  });

  test('lead to no subresource, and to nothing that cannot be watched', async () => {
    for (const path of ['namespaces/default/pods/a/log', 'componentstatuses']) {
      assert.equal((await server.request('GET', `/api/v1/watch/${path}`)).status, 404, path);
    }
  });
});
