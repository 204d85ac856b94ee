import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startTestServer } from '@flotilla/testkit';
import { freshCredentials } from '../credentials/credentials.ts';
import { HeavyThread } from './heavy-thread.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('a heavy request is sent to webhooks, and counted in the metrics of its server', async () => {
  const { key, certificate, authority } = (await freshCredentials(['127.0.0.1'], new Date())).server;
  const patch = Buffer.from('[{"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}]').toString('base64');
  const receiver = createServer({ key, cert: certificate }, (request, response) => {
    void json(request).then((review) => {
      const { uid } = (review as { request: { uid: string } }).request;
      const answer = { uid, allowed: true, patchType: 'JSONPatch', patch };
      response.end(JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: answer }));
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const thread = new HeavyThread();
  after(async () => {
    await thread.stop();
    receiver.closeAllConnections();
    receiver.close();
  });
  const server = await startTestServer({ heavyThread: thread });
  const { port } = receiver.address() as AddressInfo;
  const webhook = {
    name: 'hook.example.com',
    clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(authority).toString('base64') },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const path = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';
  await server.request('POST', path, { body: { metadata: { name: 'hook' }, webhooks: [webhook] } });

  const body = { metadata: { name: 'large' }, data: { text: 'x'.repeat(100_000) } };
  const created = await server.request('POST', configMaps, { body });
  assert.equal(created.status, 201, created.text.slice(0, 500));
  assert.deepEqual((created.body['metadata'] as { labels?: object }).labels, { seen: 'yes' });
  const { text } = await server.request('GET', '/metrics');
  assert.match(text, /apiserver_admission_webhook_request_total\{code="200",name="hook.example.com",.*\} 1/);
});
