import assert from 'node:assert/strict';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freshCredentials, type CredentialSet } from '../credentials/credentials.ts';
import type { WebhookAnswer, WebhookCall } from './webhook-call.ts';
import { WebhookClient } from './webhook-client.ts';

const maxAnswerBytes = 1000;

/** Answers by the path. */
function respond(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '';
  if (path.startsWith('/silent')) return;
  if (path.startsWith('/endless')) {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
    return;
  }
  if (path.startsWith('/loop')) {
    response.writeHead(307, { location: '/loop' }).end();
    return;
  }
  if (path.startsWith('/moved')) {
    response.writeHead(308, { location: '/teapot' }).end();
    return;
  }
  request.pipe(response.writeHead(path.startsWith('/teapot') ? 418 : 200));
}

for (const [protocol, host] of [
  ['HTTP/1.1', 'hook.test'],
  ['HTTP/2', 'localhost'],
] as const) {
  describe(`calling a webhook with ${protocol}`, () => {
    let server: Server | Http2SecureServer;
    let credentials: CredentialSet;
    let connections = 0;
    const sockets = new Set<Socket>();
    const client = new WebhookClient();
    before(async () => {
      credentials = await freshCredentials([host], new Date());
      const { key, certificate: cert } = credentials.server;
      server =
        protocol === 'HTTP/2'
          ? createSecureServer({ key, cert }, (request, response) =>
              respond(request as unknown as IncomingMessage, response as unknown as ServerResponse),
            )
          : createServer({ key, cert }, respond);
      server.on('secureConnection', (socket: Socket) => {
        connections++;
        sockets.add(socket.on('error', () => undefined));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    });
    after(() => {
      client.close();
      for (const socket of sockets) socket.destroy();
      server.close();
    });

    function call(path: string, more: Partial<WebhookCall> = {}): Promise<WebhookAnswer> {
      const { port } = server.address() as AddressInfo;
      const url = new URL(`https://${host}:${port}${path}`);
      return client.call({
        url,
        shownUrl: `https://${host}${path}`,
        address: () => ({ host: '127.0.0.1', port }),
        authority: credentials.server.authority,
        body: Buffer.from('{"a":1}'),
        timeoutMs: 10_000,
        maxAnswerBytes,
        ...more,
      });
    }

    test('sends the body to its address and returns status and body', async () => {
      const { status, body } = await call('/teapot');
      assert.deepEqual([status, Buffer.from(body).toString()], [418, '{"a":1}']);
    });

    test('keeps the connection open for the next call', async () => {
      await call('/');
      const before = connections;
      for (let i = 0; i < 5; i++) await call('/');
      assert.equal(connections, before);
    });

    test('connects again after the server has closed the connection', async () => {
      await call('/');
      for (const socket of sockets) socket.destroy();
      assert.equal((await call('/')).status, 200);
    });

    test('trusts only the given CA', async () => {
      const { authority } = (await freshCredentials([host], new Date())).server;
      await assert.rejects(call('/', { authority }), {
        message: `Post "https://${host}/": tls: failed to verify certificate: x509: certificate signed by unknown authority`,
      });
    });

    test('times out', async () => {
      await assert.rejects(call('/silent', { timeoutMs: 50 }), {
        message: `Post "https://${host}/silent": context deadline exceeded`,
      });
    });

    test('ends with the request that needs it', async () => {
      const controller = new AbortController();
      const calling = call('/silent', { signal: controller.signal });
      controller.abort();
      await assert.rejects(calling, { message: `Post "https://${host}/silent": context canceled` });
    });

    test('reads no more of an answer than its limit', async () => {
      await assert.rejects(call('/endless'), {
        message: `Post "https://${host}/endless": the answer is larger than ${maxAnswerBytes} bytes`,
      });
    });

    test('follows redirections, but not for ever', async () => {
      assert.equal((await call('/moved')).status, 418);
      await assert.rejects(call('/loop'), /stopped after 10 redirects$/);
    });

    test('fails if no server listens', async () => {
      const address = (): { host: string; port: number } => ({ host: '127.0.0.1', port: 1 });
      await assert.rejects(call('/', { address }), {
        message: `Post "https://${host}/": dial tcp 127.0.0.1:1: connect: connection refused`,
      });
    });

    test('reports why a service has no address', async () => {
      const address = (): never => {
        throw new Error('no endpoints available for service "x"');
      };
      await assert.rejects(call('/', { address }), {
        message: `Post "https://${host}/": no endpoints available for service "x"`,
      });
    });
  });
}
