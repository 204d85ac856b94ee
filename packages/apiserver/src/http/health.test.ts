import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TestServer } from '../test-server.ts';

describe('health', () => {
  test('is one word, or a line for each check', async () => {
    const server = await TestServer.start();
    assert.equal((await server.request('GET', '/readyz')).text, 'ok');
    const { text } = await server.request('GET', '/readyz?verbose');
    assert.equal(text, '[+]ping ok\n[+]shutdown ok\nreadyz check passed\n');
  });

  test('of a server that stops: alive, but not ready for more', async () => {
    const server = await TestServer.start();
    server.api.startShutdown();
    const ready = await server.request('GET', '/readyz');
    assert.deepEqual(
      [ready.status, ready.text],
      [500, '[+]ping ok\n[-]shutdown failed: reason withheld\nreadyz check failed\n'],
    );
    assert.equal((await server.request('GET', '/livez')).status, 200);
  });

  test('is told to anybody, but not to those who bring a wrong token', async () => {
    const server = await TestServer.start();
    const { authenticate } = server.api;
    const status = async (authorization: string | undefined): Promise<number> =>
      (await server.request('GET', '/livez', { user: authenticate('none', authorization) })).status;
    assert.equal(await status(undefined), 200);
    assert.equal(await status('Bearer wrong'), 401);
  });
});
