import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Scratch, startFlotilla, type FlotillaProcess } from '../flotilla-process.ts';
import { openStuckClients } from '../stuck-clients.ts';
import { asAdministrator, exchangeHttp2, openHttp2, openTls, readToClose } from '../wire.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('a server that stops', { timeout: 60_000 }, () => {
  let scratch: Scratch;
  let server: FlotillaProcess;
  beforeEach(async () => {
    scratch = new Scratch();
    server = await startFlotilla(['--data-dir', scratch.file('data')], scratch.file('kubeconfig'));
  });
  afterEach(async () => {
    await server.stop('SIGKILL');
    scratch[Symbol.dispose]();
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`on ${signal} exits with 0, and prints that it stops`, async () => {
      const { code, stdout, stderr } = await server.stop(signal);
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /\nStopping\.\n$/);
    });
  }

  test('ends watches cleanly, over HTTP/2 and HTTP/1.1', async () => {
    const session = openHttp2(server);
    const watch = exchangeHttp2(session, { target: `${configMaps}?watch=1` });
    const socket = await openTls(server, asAdministrator(server));
    const slower = readToClose(socket);
    socket.write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'data');
    await exchangeHttp2(session, { method: 'POST', target: configMaps, body: '{"metadata":{"name":"seen"}}' });
    const { code } = await server.stop();
    assert.equal(code, 0);
    for (const { status, text } of await Promise.all([watch, slower])) {
      assert.equal(status, 200);
      const events = text.trimEnd().split('\n');
      assert.deepEqual(events.map((event) => (JSON.parse(event) as { type: string }).type).at(-1), 'ADDED');
    }
  });

  test('waits neither for idle connections nor for unfinished requests and handshakes', async () => {
    const idle = await openTls(server, asAdministrator(server));
    idle.on('error', () => undefined).write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    const stuck = await openTls(server, asAdministrator(server));
    stuck.on('error', () => undefined).write(`POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`);
    const shaking = connect(server.port, '127.0.0.1');
    shaking.on('error', () => undefined).write(Buffer.from('1603010200010001fc0303', 'hex'));
    await once(shaking, 'connect');
    const { code } = await server.stop();
    assert.equal(code, 0);
  });

  test('has stored every write that it acknowledged, whatever its clients leave unfinished', async () => {
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const session = openHttp2(server);
      for (let count = 0; ; count++) {
        const name = `written-${writer}-${count}`;
        const body = `{"metadata":{"name":"${name}"}}`;
        const { status } = await exchangeHttp2(session, { method: 'POST', target: configMaps, body });
        if (status !== 201) return session.destroy();
        acknowledged.push(name);
        if (session.closed || session.destroyed) return;
      }
    });
    const stuck = await openStuckClients(server);
    const { code, stdout, stderr } = await server.stop();
    await Promise.all(writers);
    stuck[Symbol.dispose]();
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /\nStopping\.\n$/);

    server = await startFlotilla(['--data-dir', scratch.file('data')], scratch.file('kubeconfig'));
    const session = openHttp2(server);
    const { text } = await exchangeHttp2(session, { target: configMaps });
    session.destroy();
    const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] };
    const kept = new Set(items.map(({ metadata }) => metadata.name));
    assert.ok(acknowledged.length > 0);
    assert.deepEqual(
      acknowledged.filter((name) => !kept.has(name)),
      [],
    );
  });

  test('releases its data directory: the next server has its objects', async () => {
    const session = openHttp2(server);
    const created = await exchangeHttp2(session, {
      method: 'POST',
      target: configMaps,
      body: '{"metadata":{"name":"kept"}}',
    });
    assert.equal(created.status, 201);
    session.destroy();
    assert.equal((await server.stop()).code, 0);

    server = await startFlotilla(['--data-dir', scratch.file('data')], scratch.file('kubeconfig'));
    const again = openHttp2(server);
    const { status } = await exchangeHttp2(again, { target: `${configMaps}/kept` });
    again.destroy();
    assert.equal(status, 200);
  });
});
