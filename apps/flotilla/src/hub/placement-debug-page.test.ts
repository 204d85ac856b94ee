import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import { networkInterfaces } from 'node:os';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { decodeUtf8, type ApiRequest } from '@flotilla/kube';
import { placementDebugPage } from './placement-debug-page.ts';

describe('the debug page beside the metrics', () => {
  let seen: ApiRequest | undefined;
  const server = createServer(
    placementDebugPage(async (request) => {
      seen = request;
      const text = request.method === 'POST' ? decodeUtf8(await request.body(8)) : '{}';
      return { status: 200, headers: { 'content-type': 'application/json' }, body: new TextEncoder().encode(text) };
    }),
  );
  let port: number;
  before(async () => {
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

  test('hands over the method, the path, the query, the token and the body', async () => {
    const headers = { authorization: 'Bearer abc' };
    const answer = await fetch(url('/debug/placements/?a=b'), { method: 'POST', headers, body: '{"a":1}' });
    assert.equal(await answer.text(), '{"a":1}');
    assert.deepEqual(
      [seen?.method, seen?.path, seen?.query, seen?.headers, seen?.user],
      ['POST', '/debug/placements/', 'a=b', { authorization: 'Bearer abc' }, undefined],
    );
  });

  test('survives a body that is too large', async () => {
    await assert.rejects(fetch(url('/debug/placements/'), { method: 'POST', body: 'x'.repeat(100) }));
    assert.equal((await fetch(url('/debug/placements/a/b'))).status, 200);
  });

  test('refuses callers from other hosts, whose tokens would cross the network in clear text', async (context) => {
    const [address] = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map((one) => one.address);
    if (address === undefined) return context.skip('this host has only a loopback address');
    seen = undefined;
    const asked = send({ host: address, port, path: '/debug/placements/a/b', localAddress: address }).end();
    const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume: () => void }];
    response.resume();
    assert.deepEqual([response.statusCode, seen], [403, undefined]);
  });
});
