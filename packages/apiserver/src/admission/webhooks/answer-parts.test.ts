import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type WireAnswer } from '@flotilla/testkit';
import type { WebhookCall } from '../../webhooks/webhook-call.ts';

/** Creates a ConfigMap that a mutating webhook answers with `response`. */
async function createWith(response: JsonObject): Promise<WireAnswer> {
  const server = await startTestServer({
    callWebhook: async ({ body }: WebhookCall) => {
      const { uid } = (JSON.parse(Buffer.from(body).toString()) as { request: { uid: string } }).request;
      const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid, ...response } };
      return { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(review)) };
    },
  });
  const webhook = {
    name: 'big.example.com',
    clientConfig: { url: 'https://hook.test/' },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  await server.request('POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', {
    body: { metadata: { name: 'big' }, webhooks: [webhook] },
  });
  return server.request('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name: 'c' } } });
}

function patchOf(operations: readonly JsonObject[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

const refusal = /^Internal error occurred: failed calling webhook "big.example.com": failed to call webhook: /;

describe('the answer of a webhook', () => {
  test('may be large if it is one text', async () => {
    const value = { text: 'x'.repeat(900_000) };
    const { status, text } = await createWith(patchOf([{ op: 'add', path: '/data', value }]));
    assert.equal(status, 201, text.slice(0, 200));
  });

  const many = Array.from({ length: 20_000 }, () => 'a');
  for (const [name, response] of [
    ['warnings', { allowed: true, warnings: many }],
    ['operations in its patch', patchOf(many.map(() => ({ op: 'test', path: '/kind', value: 'ConfigMap' })))],
  ] as const) {
    test(`may not have thousands of ${name}, which would block other requests`, async () => {
      const { status, body } = await createWith(response);
      assert.equal(status, 500);
      assert.match(body['message'] as string, refusal);
      assert.match(body['message'] as string, /the answer has more than 10000 values$/);
    });
  }
});
