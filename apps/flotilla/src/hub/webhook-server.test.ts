import assert from 'node:assert/strict';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { checkSettingsOf, startWebhooks, type RunningWebhooks } from '@flotilla/fleet';
import { silentLogger } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { listenForReviews } from './webhook-server.ts';

const path = '/fleet.membercluster.validating?timeout=10s';

function review(key: string): string {
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u1',
      operation: 'CREATE',
      resource: { group: 'cluster.kubernetes-fleet.io', version: 'v1beta1', resource: 'memberclusters' },
      userInfo: { username: 'anna' },
      object: { metadata: { name: 'sea' }, spec: { taints: [{ key, effect: 'NoSchedule' }] } },
    },
  });
}

describe('the server of webhooks', () => {
  let server: TestServer;
  let webhooks: RunningWebhooks;
  let port = 0;
  let authority = '';

  before(async () => {
    server = await startTestServer();
    webhooks = await startWebhooks({
      client: server.client,
      clock: server.clock,
      logger: silentLogger,
      checks: checkSettingsOf({}),
      address: { url: 'https://127.0.0.1:9443' },
      listen: async (certificate, answer) => {
        const listener = await listenForReviews('127.0.0.1:0', certificate, answer);
        ({ port } = listener);
        ({ authority } = certificate);
        return listener;
      },
    });
  });
  after(async () => {
    await webhooks.stop();
    await server.stop();
  });

  async function send(method: string, to: string, body: string | Buffer): Promise<{ status: number; body: string }> {
    const sent = request({ host: '127.0.0.1', port, path: to, method, ca: authority, agent: false });
    // The server may end the connection before it has read everything.
    sent.on('error', () => undefined);
    const { promise, resolve } = Promise.withResolvers<{ status: number; body: string }>();
    sent.on('response', (response) => {
      void text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }));
    });
    sent.end(body);
    return promise;
  }

  test('answers reviews over TLS, with a certificate of the authority in the configuration', async () => {
    const { status, body } = await send('POST', path, review('team'));
    assert.equal(status, 200);
    assert.deepEqual((JSON.parse(body) as { response: unknown }).response, { uid: 'u1', allowed: true });
    const refused = JSON.parse((await send('POST', path, review('a b'))).body) as { response: { allowed: boolean } };
    assert.equal(refused.response.allowed, false);
  });

  const bad: [string, string, string, string | Buffer, number][] = [
    ['another path', 'POST', '/none', review('a'), 404],
    ['another method', 'GET', path, '', 405],
    ['garbage', 'POST', path, '{"request":', 400],
    ['a body that is no review', 'POST', path, '[]', 400],
    ['a body without end', 'POST', path, Buffer.alloc(9 * 1024 * 1024, 32), 413],
  ];
  for (const [what, method, to, body, status] of bad) {
    test(`answers ${what} with ${status}`, async () => {
      assert.equal((await send(method, to, body)).status, status);
    });
  }
});
