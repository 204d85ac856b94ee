import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestServer } from '@flotilla/testkit';
import { HeavyThread } from './heavy-thread.ts';
import { startReviewReceiver } from './review-receiver.testing.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

test('a heavy request is sent to webhooks, and counted in the metrics of its server', async () => {
  const patch = Buffer.from('[{"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}]').toString('base64');
  const { clientConfig, stop } = await startReviewReceiver((review) => {
    const { uid } = (review as unknown as { request: { uid: string } }).request;
    const response = { uid, allowed: true, patchType: 'JSONPatch', patch };
    return { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response };
  });
  const thread = new HeavyThread();
  after(async () => {
    await thread.stop();
    stop();
  });
  const server = await startTestServer({ heavyThread: thread });
  const webhook = {
    name: 'hook.example.com',
    clientConfig,
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
