import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type ClientHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { BytesBody } from '@flotilla/kube';
import { readBytes } from '../read-body.ts';
import { exchange } from './http2-exchange.ts';

test('a closed stream keeps no reference to its request', async () => {
  const server = createServer((request, response) => void request.pipe(response.stream)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const closed = Promise.withResolvers<void>();
  let stream: ClientHttp2Stream | undefined;

  const request = { method: 'POST', path: '/', query: '', headers: {}, body: new BytesBody(Buffer.from('echo')) };
  const { body } = await exchange(
    () => (stream = session.request({ ':method': 'POST', ':path': '/' })),
    request,
    {
      onData: () => undefined,
      closed: closed.resolve,
      failure: () => new Error('cut'),
    },
    new ManualClock(),
  );
  assert.equal(Buffer.from(await readBytes(body, 4096)).toString(), 'echo');
  await closed.promise;
  assert.deepEqual(stream?.eventNames(), []);
  session.close();
  server.close();
});

test('a stream without a response times out and leaves no timer', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const clock = new ManualClock();
  const request = { method: 'GET', path: '/', query: '', headers: {} };
  const answer = exchange(
    () => session.request({ ':path': '/' }),
    request,
    {
      onData: () => undefined,
      closed: () => undefined,
      failure: (_stream, cause) => cause as Error,
    },
    clock,
  );
  const refused = assert.rejects(answer, { message: 'no response within 120 s' });
  await clock.advance(120_000);
  await refused;
  assert.equal(clock.pending, 0);
  session.close();
  server.close();
});
