import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freshCredentials, type CredentialSet } from '../credentials/credentials.ts';
import type { WebhookAnswer } from './webhook-call.ts';
import { WebhookClient } from './webhook-client.ts';

describe('calling a webhook', () => {
  let server: Server;
  let credentials: CredentialSet;
  before(async () => {
    credentials = await freshCredentials(['hook.test', '127.0.0.1'], new Date());
    const { key, certificate } = credentials.server;
    server = createServer({ key, cert: certificate }, (request, response) => {
      if (request.url === '/silent') return;
      request.pipe(response.writeHead(request.url === '/teapot' ? 418 : 200));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  const client = new WebhookClient();
  after(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });

  function call(path: string, authority: string | undefined, timeoutMs = 10_000): Promise<WebhookAnswer> {
    const { port } = server.address() as AddressInfo;
    const url = new URL(`https://hook.test:${port}${path}`);
    return client.call({
      url,
      shownUrl: 'https://hook.test/',
      address: () => ({ host: '127.0.0.1', port }),
      maxAnswerBytes: 1000,
      ...(authority !== undefined && { authority }),
      body: Buffer.from('{"a":1}'),
      timeoutMs,
    });
  }

  test('sends the body to its address and returns status and body', async () => {
    const { status, body } = await call('/teapot', credentials.server.authority);
    assert.deepEqual([status, Buffer.from(body).toString()], [418, '{"a":1}']);
  });

  test('trusts only the given CA', async () => {
    await assert.rejects(call('/', undefined), {
      message:
        'Post "https://hook.test/": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    });
  });

  test('times out', async () => {
    await assert.rejects(call('/silent', credentials.server.authority, 50), {
      message: 'Post "https://hook.test/": context deadline exceeded',
    });
  });
});
