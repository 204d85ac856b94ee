import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { define, v1, versionOf, widgets } from '../custom/widgets.testing.ts';
import { HeavyThread } from './heavy-thread.ts';
import { startReviewReceiver } from './review-receiver.testing.ts';

const older = '/apis/example.com/v1/namespaces/default/widgets';
const newer = '/apis/example.com/v2/namespaces/default/widgets';

interface Review {
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: KubeObject[] };
}

/** The sizes of the calls: the main thread asks for all objects of a piece, and the worker for one object at a time. */
const calls: number[] = [];
let values = 0;

const { clientConfig, stop } = await startReviewReceiver((review) => {
  const { uid, desiredAPIVersion: apiVersion, objects } = (review as unknown as Review).request;
  calls.push(objects.length);
  const spec = { many: Array<number>(values).fill(7), extent: 1 };
  const convertedObjects = objects.map((object) => ({ ...object, apiVersion, spec }));
  const response = { uid, result: { status: 'Success' }, convertedObjects };
  return { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', response };
});
const thread = new HeavyThread();
after(async () => {
  await thread.stop();
  stop();
});

const server = await startTestServer({ heavyThread: thread });
const versions = [
  v1(),
  versionOf(
    'v2',
    { many: { type: 'array', items: { type: 'integer' } }, extent: { type: 'integer' } },
    { selectableFields: [{ jsonPath: '.spec.extent' }] },
  ),
];
const webhook = { conversionReviewVersions: ['v1'], clientConfig };
await define(server, widgets({ versions, conversion: { strategy: 'Webhook', webhook } }));
for (const name of ['a', 'b']) {
  const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: { size: 1 } };
  await server.request('POST', older, { body });
}

function countOf(object: JsonObject): number {
  return ((object['spec'] as JsonObject)['many'] as number[]).length;
}

describe('a conversion with more values than the main thread reads', () => {
  beforeEach(() => {
    calls.length = 0;
    values = 21_000;
  });

  test('is made again by the worker for a get', async () => {
    const { body } = await server.request('GET', `${newer}/a`);
    assert.deepEqual([countOf(body), calls], [values, [1, 1]]);
  });

  test('is made by the worker for each object of a list', async () => {
    const { body } = await server.request('GET', newer);
    assert.deepEqual((body['items'] as JsonObject[]).map(countOf), [values, values]);
    assert.deepEqual(calls, [2, 1, 1]);
  });

  test('is made by the worker for a selector of converted fields', async () => {
    const { body } = await server.request('GET', `${newer}?fieldSelector=spec.extent=2`);
    assert.deepEqual([body['items'], calls], [[], [2, 1, 1]]);
  });

  test('is made by the worker for an event of a watch', async () => {
    const watch = await server.watch(`${newer}?watch=1&resourceVersion=0`);
    while ((await watch.events()).length < 2) await new Promise<void>((resolve) => setImmediate(resolve));
    assert.deepEqual(
      (await watch.events()).map(({ object }) => countOf(object)),
      [values, values],
    );
    assert.deepEqual(calls, [1, 1, 1, 1]);
  });

  test('fails a write', async () => {
    const body = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'c' }, spec: { extent: 1 } };
    const { status, body: answer } = await server.request('POST', newer, { body });
    assert.equal(status, 500);
    assert.match(
      answer['message'] as string,
      /^conversion webhook for example.com\/v2, Kind=Widget failed: the answer has/,
    );
  });

  test('fails if it is too large for the worker', async () => {
    values = 900_000;
    const { status, body } = await server.request('GET', `${newer}/a`);
    const about = 'conversion webhook for example.com/v1, Kind=Widget';
    assert.deepEqual([status, body['message']], [500, `${about} failed: the answer has more than 800000 values`]);
    assert.equal((await server.request('GET', `${older}/a`)).status, 200);
  });
});
