import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer, type TestServer } from '@flotilla/testkit';

describe('health', () => {
  test('is one word, or one line for each check', async () => {
    const server = await startTestServer();
    assert.equal((await server.request('GET', '/readyz')).text, 'ok');
    assert.deepEqual(await lines(server, '/readyz?verbose'), [
      '[+]ping ok',
      '[+]etcd ok',
      '[+]etcd-readiness ok',
      '[+]poststarthook/bootstrap-controller ok',
      '[+]shutdown ok',
      'readyz check passed',
    ]);
  });

  test('omits excluded checks, and lists unknown ones', async () => {
    const server = await startTestServer();
    assert.deepEqual(await lines(server, '/livez?verbose&exclude=etcd&exclude=b&exclude=a'), [
      '[+]ping ok',
      '[+]etcd excluded: ok',
      '[+]poststarthook/bootstrap-controller ok',
      'warn: some health checks cannot be excluded: no matches for "a","b"',
      'livez check passed',
    ]);
  });

  test('is available for a single check', async () => {
    const server = await startTestServer();
    assert.equal((await server.request('GET', '/livez/ping?verbose')).text, 'ok');
    assert.equal((await server.request('GET', '/readyz/poststarthook/bootstrap-controller')).text, 'ok');
    assert.equal((await server.request('GET', '/livez/shutdown')).status, 404);
    assert.equal((await server.request('GET', '/livez/')).status, 404);
  });

  test('of a server whose disk fails is an error', async () => {
    const server = await startTestServer({ isStoreHealthy: () => false });
    const { status, text } = await server.request('GET', '/livez');
    assert.equal(status, 500);
    assert.match(text, /^\[\+\]ping ok\n\[-\]etcd failed: reason withheld\n/);
    const { text: single } = await server.request('GET', '/livez/etcd');
    assert.equal(single, 'internal server error: etcd failed\n');
  });

  test('of a stopping server is alive, but not ready', async () => {
    const server = await startTestServer();
    server.api.stop();
    const ready = await server.request('GET', '/readyz');
    assert.equal(ready.status, 500);
    assert.match(ready.text, /\n\[-\]shutdown failed: reason withheld\nreadyz check failed\n$/);
    assert.equal((await server.request('GET', '/livez')).status, 200);
  });

  test('is readable for anonymous callers, but not with an invalid token', async () => {
    const server = await startTestServer();
    const { authenticate } = server.api;
    const status = async (authorization: string | undefined): Promise<number> =>
      (await server.request('GET', '/livez', { user: await authenticate('none', authorization) })).status;
    assert.equal(await status(undefined), 200);
    assert.equal(await status('Bearer wrong'), 401);
  });
});

async function lines(server: TestServer, path: string): Promise<string[]> {
  return (await server.request('GET', path)).text.trimEnd().split('\n');
}
