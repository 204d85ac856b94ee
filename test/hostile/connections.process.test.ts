import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { connect } from 'node:net';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { freshCredentials } from '@flotilla/apiserver';
import { asAdministrator, exchangeHttp1, exchangeHttp2, openHttp2, openTls, sendBytes } from '../wire.ts';
import { configMaps, Victim } from './victim.ts';

describe('hostile connections', { timeout: 60_000 }, () => {
  let victim: Victim;
  before(async () => {
    victim = await Victim.start();
  });
  after(() => victim[Symbol.asyncDispose]());

  test('half a handshake delays no other client', async () => {
    const sockets = Array.from({ length: 50 }, () => connect(victim.server.port, '127.0.0.1'));
    for (const socket of sockets)
      socket.on('error', () => undefined).write(Buffer.from('1603010200010001fc0303', 'hex'));
    await victim.isUnharmed();
    for (const socket of sockets) socket.destroy();
    await victim.isUnharmed();
  });

  test('noise instead of a handshake closes the connection', async () => {
    const socket = connect(victim.server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
    await victim.isUnharmed();
  });

  test('a client certificate of another CA counts as none', async () => {
    const { admin } = await freshCredentials(['localhost'], new Date());
    const identity = { cert: admin.certificate, key: admin.key };
    assert.equal((await exchangeHttp1(victim.server, { target: '/api' }, identity)).status, 401);
    assert.equal((await exchangeHttp1(victim.server, { target: '/version' }, identity)).status, 401);
    await victim.isUnharmed();
  });

  // A header without a bearer token leaves the client anonymous. An unknown token is refused.
  for (const [title, authorization, refusal] of [
    ['no token', 'Bearer', 403],
    ['a token without its scheme', 'secret', 403],
    ['another scheme', 'Basic YTpi', 403],
    ['two spaces', 'Bearer  secret', 403],
    ['an unknown token', 'Bearer secret', 401],
    ['sixty thousand characters of token', `Bearer ${'a'.repeat(60_000)}`, 401],
  ] as const) {
    test(`Authorization with ${title}: ${refusal}`, async () => {
      const { status } = await exchangeHttp1(victim.server, { target: '/api', headers: { authorization } }, {});
      assert.equal(status, refusal);
      await victim.isUnharmed();
    });
  }

  test('lists and watches whose client disconnects are released', async () => {
    for (const target of [configMaps, `${configMaps}?watch=1`]) {
      const socket = await openTls(victim.server, asAdministrator(victim.server));
      socket.on('error', () => undefined);
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
      const session = openHttp2(victim.server);
      const stream = session.request({ ':path': target });
      stream.on('error', () => undefined);
      const closed = once(stream, 'close');
      await once(stream, 'response');
      // Read what arrived before the cut, or the stream never ends on this side.
      stream.resume().close(8);
      await closed;
      session.destroy();
    }
    await victim.isUnharmed();
  });

  test('a client that keeps resetting streams is disconnected', async () => {
    const session = openHttp2(victim.server);
    const isClosed = new Promise((resolve) => session.once('close', resolve));
    let streams = 0;
    while (!session.destroyed && !session.closed && streams < 20_000) {
      for (let count = 0; count < 100 && !session.destroyed && !session.closed; count++, streams++) {
        session
          .request({ ':path': configMaps })
          .on('error', () => undefined)
          .close(8);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await isClosed;
    assert.ok(streams < 20_000, `${streams} streams`);
    await victim.isUnharmed();
  });

  test('a wrong content length ends only that request', async () => {
    const session = openHttp2(victim.server);
    const { status } = await exchangeHttp2(session, {
      method: 'POST',
      target: configMaps,
      headers: { 'content-length': '5' },
      body: '{"metadata":{}}',
    });
    assert.equal(status, 0);
    session.destroy();
    await victim.isUnharmed();
  });

  test('a refused upgrade waits for the response of the request before it', async () => {
    const watch = `GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\n`;
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AA==\r\n';
    const first = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n';
    const { status, text } = await sendBytes(victim.server, `${first}${watch}${upgrade}\r\n`, {});
    assert.equal(status, 200);
    assert.match(text, /HTTP\/1\.1 403 Forbidden\r\n[^]*Connection: close\r\n/);
    await victim.isUnharmed();
  });

  test('10,000 watches over few connections leave memory for other clients', { timeout: 60_000 }, async () => {
    const before = residentMiB(victim.server.child.pid);
    const sessions = Array.from({ length: 10 }, () => openHttp2(victim.server, { maxSessionMemory: 64 }));
    const streams = (await Promise.all(sessions.map((session) => openWatches(session, 1000)))).flat();
    assert.equal(streams.length, 10_000);
    await victim.isUnharmed();
    const grown = residentMiB(victim.server.child.pid) - before;
    assert.ok(grown < 400, `10,000 watches take ${Math.round(grown)} MiB`);
    for (const session of sessions) session.destroy();
    await victim.isUnharmed();
  });
});

/** Opens watches in batches, each until its first event has arrived. */
async function openWatches(session: ClientHttp2Session, count: number): Promise<ClientHttp2Stream[]> {
  const streams: ClientHttp2Stream[] = [];
  while (streams.length < count) {
    const batch = Array.from({ length: 100 }, () => session.request({ ':path': `${configMaps}?watch=1` }));
    for (const stream of batch) stream.on('error', () => undefined);
    await Promise.all(batch.map((stream) => once(stream, 'data')));
    streams.push(...batch);
  }
  return streams;
}

/** The resident memory of a process. 0 if the system does not report it. */
function residentMiB(pid: number | undefined): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return (Number(pages) * 4096) / 1024 / 1024;
  } catch {
    return 0;
  }
}
