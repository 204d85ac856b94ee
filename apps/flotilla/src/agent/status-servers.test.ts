import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { MetricsRegistry } from '@flotilla/kube';
import { startStatusServers } from './status-servers.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('a program is alive at once, and ready when nothing is pending', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const pending = new Set(['webhook-server']);
  const servers = await startStatusServers({ health: [address], metrics: [] }, new MetricsRegistry(), pending);
  const ask = async (path: string): Promise<string> => {
    const answer = await fetch(`http://${address}${path}`);
    return `${answer.status} ${await answer.text()}`;
  };
  try {
    assert.equal(await ask('/healthz'), '200 ok');
    assert.equal(
      await ask('/readyz'),
      '500 [+]ping ok\n[-]webhook-server failed: reason withheld\nhealthz check failed\n',
    );
    pending.clear();
    assert.equal(await ask('/readyz'), '200 ok');
  } finally {
    servers.stop();
  }
});
