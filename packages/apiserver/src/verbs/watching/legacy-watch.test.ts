import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('the deprecated watch paths', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    for (const name of ['a', 'b']) await server.request('POST', configMaps, { body: { metadata: { name } } });
  });

  async function names(path: string): Promise<string[]> {
    const watch = await server.watch(path);
    return (await watch.events()).map(({ object }) => (object['metadata'] as { name: string }).name);
  }

  test('watch a collection, in one namespace or in all', async () => {
    assert.deepEqual(await names('/api/v1/watch/namespaces/default/configmaps'), ['a', 'b']);
    assert.deepEqual(await names('/api/v1/watch/configmaps?watch=false'), ['a', 'b']);
  });

  test('watch one object', async () => {
    assert.deepEqual(await names('/api/v1/watch/namespaces/default/configmaps/b'), ['b']);
    assert.deepEqual(await names('/api/v1/watch/namespaces/kube-system'), ['kube-system']);
  });

  test('of one object accept only a field selector for its name', async () => {
    const path = '/api/v1/watch/namespaces/default/configmaps/b?fieldSelector=metadata.name%3Da';
    const { status, body } = await server.request('GET', path);
    assert.deepEqual([status, body['message']], [400, "fieldSelector metadata.name doesn't match requested name"]);
  });

  test('do not exist for subresources, nor for resources without the verb watch', async () => {
    for (const path of ['namespaces/default/pods/a/log', 'componentstatuses']) {
      assert.equal((await server.request('GET', `/api/v1/watch/${path}`)).status, 404, path);
    }
  });
});
