import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '@flotilla/timing';
import { Http2Connection } from './http2-connection.ts';

test('closing a connection before it is ready is no error', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const retired: unknown[] = [];
  const connection = new Http2Connection(new URL(`http://127.0.0.1:${port}`), socket, {
    clock: systemClock,
    onRetired: (which) => retired.push(which),
  });
  connection.destroy();
  await once(socket, 'close');
  assert.deepEqual(retired, [connection]);
  server.close();
});

test('a response may have hundreds of Warning headers', async () => {
  const warning = Array.from({ length: 400 }, (_, index) => `299 - "unknown field ${index}"`);
  const server = createServer((_request, response) => {
    response.setHeader('warning', warning);
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const connection = new Http2Connection(new URL(`http://127.0.0.1:${port}`), socket, {
    clock: systemClock,
    onRetired: () => undefined,
  });
  const { status } = await connection.send({ method: 'GET', path: '/', query: '', headers: {} });
  assert.equal(status, 200);
  connection.destroy();
  server.close();
});
