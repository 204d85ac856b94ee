import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const pods = '/api/v1/namespaces/default/pods';

async function configure(server: TestServer, rule: object, path: string): Promise<void> {
  const webhook = {
    name: 'own.example.com',
    clientConfig: { service: { namespace: 'default', name: 'kubernetes', path } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], ...rule }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const { status, text } = await server.request(
    'POST',
    '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
    { body: { metadata: { name: 'own' }, webhooks: [webhook] } },
  );
  assert.equal(status, 201, text);
}

async function startWithPod(): Promise<TestServer> {
  const server = await startTestServer();
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  assert.equal((await server.request('POST', pods, { body: { metadata: { name: 'p' }, spec } })).status, 201);
  return server;
}

describe('a webhook behind the Service kubernetes', () => {
  test('is a request of system:apiserver to this server', async () => {
    const server = await startWithPod();
    await configure(server, { operations: ['CREATE'], resources: ['secrets'] }, `${pods}/p/exec`);
    const { body } = await server.request('POST', '/api/v1/namespaces/default/secrets', {
      body: { metadata: { name: 's' } },
    });
    // A user without rights would be refused before.
    assert.equal(
      body['message'],
      'Internal error occurred: failed calling webhook "own.example.com": failed to call webhook: pod p does not have a host assigned',
    );
  });

  test('that calls itself again ends without its timeout, and leaves the server free', async () => {
    const server = await startWithPod();
    await configure(server, { operations: ['CONNECT'], resources: ['pods/exec'] }, `${pods}/p/exec`);
    const loop = (): Promise<string> =>
      server.request('GET', `${pods}/p/exec?command=ls`).then(({ body }) => body['message'] as string);
    const messages = await Promise.all(Array.from({ length: 20 }, loop));
    for (const message of messages) {
      assert.match(message, /too many requests and has asked us to try again later$/);
    }
    assert.equal((await server.request('GET', `${pods}/p`)).status, 200);
    assert.match(await loop(), /too many requests/);
  });
});
