import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { createClient, fixedCredentials, httpTransport } from '@flotilla/client';
import { startServer } from '@flotilla/fleet';
import { pods } from '@flotilla/kube';
import { clientConformance } from './client-conformance.ts';
import { clientFor, key, pod, rawServer, testCredentials } from './scripted-server.ts';

/** Our server behind a proxy that speaks only HTTP/1.1. */
clientConformance('over HTTP/1.1', async () => {
  const { port, credentials, stop } = await startServer();
  const front = await rawServer(['http/1.1'], (socket) => {
    const { authority } = credentials.server;
    const behind = connectTls({ host: '127.0.0.1', port, ca: authority, ALPNProtocols: ['http/1.1'] });
    behind.on('error', () => socket.destroy());
    behind.on('close', () => socket.destroy());
    socket.on('close', () => behind.destroy());
    socket.pipe(behind).pipe(socket);
  });
  const identity = { authority: front.credentials.server.authority, authorization: `Bearer ${credentials.token}` };
  const transport = httpTransport({ server: front.url, credentials: fixedCredentials(identity) });
  return {
    client: createClient(transport),
    stop: async () => {
      await front.close();
      await stop();
    },
  };
});

describe('a server with only HTTP/1.1', () => {
  const serve = async (listener: RequestListener) => {
    const { server: identity } = await testCredentials();
    const server = createServer({ key: identity.key, cert: identity.certificate }, listener);
    let sockets = 0;
    server.on('secureConnection', () => sockets++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = await clientFor(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return {
      client,
      sockets: () => sockets,
      close: async () => {
        await client.close();
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      },
    };
  };

  test('reuses a socket', async () => {
    const { client, sockets, close } = await serve((_request, response) => response.end(JSON.stringify(pod)));
    for (let at = 0; at < 5; at++) assert.deepEqual(await client.get(pods, key), pod);
    assert.equal(sockets(), 1);
    await close();
  });

  test('reports cut responses', async () => {
    const { client, close } = await serve((request, response) => {
      response.write(`${JSON.stringify({ type: 'ADDED', object: pod })}\n`);
      setImmediate(() => request.socket.destroy());
    });
    const seen: string[] = [];
    await assert.rejects(
      async () => {
        for await (const { type } of client.watch(pods, { signal: new AbortController().signal })) seen.push(type);
      },
      { name: 'ConnectionError', reached: 'cut' },
    );
    assert.deepEqual(seen, ['ADDED']);
    await close();
  });

  test('gets no write twice if it cuts the connection', async () => {
    let requests = 0;
    const { client, close } = await serve((request) => {
      requests++;
      request.socket.destroy();
    });
    await assert.rejects(client.create(pods, pod), { name: 'ConnectionError', reached: 'cut' });
    assert.equal(requests, 1);
    await close();
  });

  test('notices a request that was aborted', async () => {
    const gone = Promise.withResolvers<void>();
    const stop = new AbortController();
    const { client, close } = await serve((request) => {
      request.socket.once('close', () => gone.resolve());
      stop.abort(new Error('enough'));
    });
    await assert.rejects(client.get(pods, key, { signal: stop.signal }), { message: 'enough' });
    await gone.promise;
    await close();
  });
});
