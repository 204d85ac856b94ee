import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import type { CallWebhook, WebhookCall } from '../../webhooks/webhook-call.ts';
import { define, until, v1, versionOf, widgets } from '../widgets.testing.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';
const newer = '/apis/example.com/v2/namespaces/default/widgets';
const merge = 'application/merge-patch+json';

interface Review {
  apiVersion: string;
  kind: string;
  request: { uid: string; desiredAPIVersion: string; objects: KubeObject[] };
}

type Convert = (object: KubeObject, apiVersion: string) => JsonObject;
type Answer = (review: Review, objects: JsonObject[]) => JsonObject;

/** Converts `size` of v1 to `extent` of v2 and back. */
const renameSize: Convert = (object, apiVersion) => {
  const { size, extent, color } = (object['spec'] ?? {}) as Record<string, number>;
  const spec = apiVersion.endsWith('v2') ? { extent: size ?? 0 } : { size: extent ?? 0 };
  return { ...object, apiVersion, spec: color === undefined ? spec : { ...spec, color } };
};

const success: Answer = ({ apiVersion, kind, request }, convertedObjects) => ({
  apiVersion,
  kind,
  response: { uid: request.uid, result: { status: 'Success' }, convertedObjects },
});

class Hook {
  readonly calls: WebhookCall[] = [];
  readonly reviews: Review[] = [];
  convert: Convert = renameSize;
  answer: Answer = success;

  readonly call: CallWebhook = (call) => {
    this.calls.push(call);
    const review = JSON.parse(Buffer.from(call.body).toString('utf8')) as Review;
    this.reviews.push(review);
    const { objects, desiredAPIVersion } = review.request;
    const converted = objects.map((object) => this.convert(object, desiredAPIVersion));
    return Promise.resolve({ status: 200, body: Buffer.from(JSON.stringify(this.answer(review, converted))) });
  };
}

async function started(hook: Hook): Promise<TestServer> {
  const server = await startTestServer({ callWebhook: hook.call });
  const versions = [
    v1(),
    versionOf('v2', { extent: { type: 'integer' } }, { selectableFields: [{ jsonPath: '.spec.extent' }] }),
  ];
  const webhook = { conversionReviewVersions: ['v9', 'v1'], clientConfig: { url: 'https://hooks.test/convert' } };
  await define(server, widgets({ versions, conversion: { strategy: 'Webhook', webhook } }));
  return server;
}

function widget(name: string, spec: JsonObject, apiVersion = 'example.com/v1'): JsonObject {
  return { apiVersion, kind: 'Widget', metadata: { name }, spec };
}

describe('a conversion webhook', () => {
  test('is called only for objects of another version', async () => {
    const hook = new Hook();
    const server = await started(hook);
    await server.request('POST', path, { body: widget('a', { size: 4 }) });
    await server.request('GET', `${path}/a`);
    assert.equal(hook.calls.length, 0);
    const { body } = await server.request('GET', `${newer}/a`);
    assert.deepEqual([body['apiVersion'], body['spec']], ['example.com/v2', { extent: 4 }]);
    assert.equal(hook.calls[0]?.url.href, 'https://hooks.test/convert?timeout=30s');
    assert.equal(hook.calls[0]?.timeoutMs, 30_000);
    const { apiVersion, kind, request } = hook.reviews[0]!;
    assert.deepEqual(
      [apiVersion, kind, request.desiredAPIVersion],
      ['apiextensions.k8s.io/v1', 'ConversionReview', 'example.com/v2'],
    );
  });

  test('converts what is written in another version', async () => {
    const hook = new Hook();
    const server = await started(hook);
    const created = await server.request('POST', newer, { body: widget('a', { extent: 7 }, 'example.com/v2') });
    assert.deepEqual([created.status, created.body['spec']], [201, { extent: 7 }]);
    const { body } = await server.request('GET', `${path}/a`);
    assert.deepEqual(body['spec'], { size: 7 });
  });

  test('is called once for a list', async () => {
    const hook = new Hook();
    const server = await started(hook);
    for (const name of ['a', 'b', 'c']) await server.request('POST', path, { body: widget(name, { size: 1 }) });
    const { body } = await server.request('GET', newer);
    assert.deepEqual(
      (body['items'] as JsonObject[]).map(({ spec }) => spec),
      [{ extent: 1 }, { extent: 1 }, { extent: 1 }],
    );
    assert.equal(hook.calls.length, 1);
  });

  test('gets large lists in several calls', async () => {
    const hook = new Hook();
    const server = await started(hook);
    for (const name of ['a', 'b', 'c']) {
      const annotations = { text: 'x'.repeat(30_000) };
      const body = { ...widget(name, { size: 1 }), metadata: { name, annotations } };
      await server.request('POST', path, { body });
    }
    for (const query of ['', '?fieldSelector=spec.extent=1']) {
      hook.reviews.length = 0;
      const { body } = await server.request('GET', `${newer}${query}`);
      assert.equal((body['items'] as JsonObject[]).length, 3);
      const [two, one, ...others] = hook.reviews.map(({ request }) => request.objects.length);
      assert.deepEqual([two, one], [2, 1]);
      // A selector of converted fields converts before it selects, and again for the answer.
      assert.deepEqual(others, query === '' ? [] : [2, 1]);
    }
  });

  test('may change labels, but no other metadata', async () => {
    const hook = new Hook();
    hook.convert = (object, apiVersion) => {
      const metadata = { ...object.metadata, labels: { hook: 'was-here' }, finalizers: ['x.io/y'], generation: 99 };
      return { ...renameSize(object, apiVersion), metadata };
    };
    const server = await started(hook);
    await server.request('POST', path, { body: widget('a', { size: 1 }) });
    const { labels, finalizers, generation } = (await server.request('GET', `${newer}/a`)).body[
      'metadata'
    ] as JsonObject;
    assert.deepEqual([labels, finalizers, generation], [{ hook: 'was-here' }, undefined, 1]);
  });

  test('does not change the order of watch events', async () => {
    const hook = new Hook();
    const server = await started(hook);
    const watch = await server.watch(`${newer}?watch=1`);
    for (const size of [1, 2, 3]) await server.request('POST', path, { body: widget(`w${size}`, { size }) });
    let events = await watch.events();
    while (events.length < 3) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      events = await watch.events();
    }
    assert.deepEqual(
      events.map(({ object }) => object['spec']),
      [{ extent: 1 }, { extent: 2 }, { extent: 3 }],
    );
  });

  test('is called for the selectable fields of a version', async () => {
    const hook = new Hook();
    const server = await started(hook);
    for (const size of [1, 2, 3]) await server.request('POST', path, { body: widget(`w${size}`, { size }) });
    const { body } = await server.request('GET', `${newer}?fieldSelector=spec.extent=2`);
    const names = (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    assert.deepEqual(names, ['w2']);

    const watch = await server.watch(`${newer}?watch=1&fieldSelector=spec.extent=7`);
    for (const size of [6, 7]) {
      const change = { body: { spec: { size } }, type: merge };
      await server.request('PATCH', `${path}/w1`, change);
      await server.request('PATCH', `${path}/w3`, change);
    }
    await until(async () => (await watch.events()).length === 2);
    assert.deepEqual(
      (await watch.events()).map(({ type, object }) => [type, object['spec']]),
      [
        ['ADDED', { extent: 7 }],
        ['ADDED', { extent: 7 }],
      ],
    );
  });

  test('is called once for all watches of a version', async () => {
    const hook = new Hook();
    const server = await started(hook);
    const watches = await Promise.all([1, 2, 3].map(() => server.watch(`${newer}?watch=1`)));
    await server.request('POST', path, { body: widget('a', { size: 1 }) });
    for (const watch of watches) {
      while ((await watch.events()).length < 1) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    assert.equal(hook.calls.length, 1);
  });

  test('converts managedFields to the version of each manager', async () => {
    const hook = new Hook();
    const server = await started(hook);
    await server.request('POST', newer, { body: widget('a', { extent: 1 }, 'example.com/v2'), agent: 'newer' });
    const { body } = await server.request('PATCH', `${path}/a`, {
      body: { spec: { size: 2 } },
      type: merge,
      agent: 'older',
    });
    const { managedFields } = body['metadata'] as { managedFields: JsonObject[] };
    assert.deepEqual(
      managedFields.map(({ manager, apiVersion, fieldsV1 }) => [manager, apiVersion, fieldsV1]),
      [
        ['newer', 'example.com/v2', { 'f:spec': {} }],
        ['older', 'example.com/v1', { 'f:spec': { 'f:size': {} } }],
      ],
    );
  });
});

describe('a conversion webhook that fails', () => {
  const about = 'conversion webhook for example.com/v1, Kind=Widget';
  const failures: readonly [what: string, breakIt: (hook: Hook) => void, message: string][] = [
    [
      'gives a reason',
      (hook) => {
        hook.answer = ({ apiVersion, kind, request }) => ({
          apiVersion,
          kind,
          response: { uid: request.uid, result: { status: 'Failed', message: 'no way' } },
        });
      },
      `${about} failed: no way`,
    ],
    [
      'gives no reason',
      (hook) => {
        hook.answer = ({ apiVersion, kind, request }) => ({ apiVersion, kind, response: { uid: request.uid } });
      },
      `${about} failed: response.result.status was '', not 'Success'`,
    ],
    [
      'answers another request',
      (hook) => {
        hook.answer = (review, objects) =>
          success({ ...review, request: { ...review.request, uid: 'other' } }, objects);
      },
      `${about} failed: expected response.uid="UID", got "other"`,
    ],
    [
      'answers with another kind',
      (hook) => {
        hook.answer = () => ({ apiVersion: 'v1', kind: 'Pod' });
      },
      `${about} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got v1, Kind=Pod`,
    ],
    [
      'loses an object',
      (hook) => {
        hook.answer = (review) => success(review, []);
      },
      `${about} returned 0 objects, expected 1`,
    ],
    [
      'does not convert',
      (hook) => {
        hook.convert = (object) => object;
      },
      `${about} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
    ],
    [
      'changes the name',
      (hook) => {
        hook.convert = (object, apiVersion) => ({ ...object, apiVersion, metadata: { ...object.metadata, name: 'b' } });
      },
      `${about} returned invalid object: must have the same name: a != b`,
    ],
    [
      'answers with too many values',
      (hook) => {
        hook.convert = (object, apiVersion) => ({ ...object, apiVersion, spec: { extent: Array(800_000).fill(0) } });
      },
      `${about} failed: the answer has more than 800000 values`,
    ],
    [
      'returns invalid labels',
      (hook) => {
        hook.convert = (object, apiVersion) => {
          const metadata = { ...object.metadata, labels: { a: '-' } };
          return { ...object, apiVersion, metadata };
        };
      },
      `${about} returned invalid metadata: metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    ],
  ];
  for (const [what, breakIt, message] of failures) {
    test(`and ${what} is quoted, and other versions stay readable`, async () => {
      const hook = new Hook();
      breakIt(hook);
      const server = await started(hook);
      await server.request('POST', path, { body: widget('a', { size: 1 }) });
      const { status, body } = await server.request('GET', `${newer}/a`);
      const uid = hook.reviews[0]?.request.uid ?? '';
      assert.deepEqual([status, (body['message'] as string).replace(uid, 'UID')], [500, message]);
      assert.equal((await server.request('GET', newer)).status, 500);
      assert.equal((await server.request('GET', path)).status, 200);
    });
  }

  test('ends a watch with the error', async () => {
    const hook = new Hook();
    const server = await started(hook);
    const watch = await server.watch(`${newer}?watch=1`);
    hook.convert = (object) => object;
    await server.request('POST', path, { body: widget('a', { size: 1 }) });
    while (!watch.isEnded) await new Promise<void>((resolve) => setImmediate(resolve));
    const [event] = await watch.events();
    assert.equal(event?.type, 'ERROR');
  });
});
