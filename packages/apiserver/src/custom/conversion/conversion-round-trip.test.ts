/** Any object survives the conversion to another version and back. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import type { CallWebhook } from '../../webhooks/webhook-call.ts';
import { define, versionOf, widgets } from '../widgets.testing.ts';

const older = '/apis/example.com/v1/namespaces/default/widgets';
const newer = '/apis/example.com/v2/namespaces/default/widgets';

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as const;

/** Renames one field: `held` in v2, `goods` in v1. */
const rename: CallWebhook = ({ body }) => {
  const review = JSON.parse(Buffer.from(body).toString('utf8')) as {
    request: { uid: string; desiredAPIVersion: string; objects: KubeObject[] };
  };
  const { uid, desiredAPIVersion, objects } = review.request;
  const convertedObjects = objects.map((object) => {
    const { goods, held } = object['spec'] as JsonObject;
    const spec = desiredAPIVersion.endsWith('v2') ? { held: goods } : { goods: held };
    return { ...object, apiVersion: desiredAPIVersion, spec };
  });
  const answer = { ...review, request: undefined, response: { uid, result: { status: 'Success' }, convertedObjects } };
  return Promise.resolve({ status: 200, body: Buffer.from(JSON.stringify(answer)) });
};

async function started(strategy: 'None' | 'Webhook'): Promise<TestServer> {
  const server = await startTestServer({ callWebhook: rename });
  const versions = [
    { ...versionOf('v1', { goods: open }), storage: true },
    { ...versionOf('v2', strategy === 'None' ? { goods: open } : { held: open }), storage: false },
  ];
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://hooks.test/convert' } };
  const conversion = strategy === 'None' ? { strategy } : { strategy, webhook };
  await define(server, widgets({ versions, conversion }));
  return server;
}

/** Only numbers that every JSON parser reads alike: a webhook is a separate program. */
const goods = fc.dictionary(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', 'x.y/z'),
  fc.jsonValue({ maxDepth: 3 }).filter((value) => value !== null && !JSON.stringify(value).includes('e')),
);

for (const strategy of ['None', 'Webhook'] as const) {
  describe(`conversion by ${strategy}`, () => {
    test('returns every object unchanged', async () => {
      const server = await started(strategy);
      let serial = 0;
      await fc.assert(
        fc.asyncProperty(goods, async (held) => {
          const name = `widget-${serial++}`;
          const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: { goods: held } };
          const created = await server.request('POST', older, { body: body as JsonObject });
          assert.equal(created.status, 201, created.text);
          const seen = await server.request('GET', `${newer}/${name}`);
          const written = await server.request('PUT', `${newer}/${name}`, { body: seen.text });
          assert.equal(written.status, 200, written.text);
          const back = await server.request('GET', `${older}/${name}`);
          assert.deepEqual(back.body['spec'], created.body['spec']);
        }),
        { numRuns: 60 },
      );
    });
  });
}
