import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { costInMainThread } from '../../resources/cost-allowance.ts';
import { CountingThread } from '../../heavy/counting-thread.testing.ts';
import { define, versionOf, widgets } from '../widgets.testing.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';

const list = (rule: string): JsonObject => ({
  type: 'array',
  maxItems: 100,
  items: { type: 'integer' },
  'x-kubernetes-validations': [{ rule, message: 'not distinct enough' }],
});
const pairs = 'self.all(a, self.all(b, self.all(c, a + b + c != 3000)))';

/** Costs more than the main thread allows, and less than Kubernetes does. */
const costly = 25;
assert.ok(costly ** 3 * 3 > costInMainThread);

describe('rules of a definition that cost too much for the thread that serves all requests', () => {
  const thread = new CountingThread();
  let server: TestServer;
  after(() => thread.stop());
  beforeEach(async () => {
    server = await startTestServer({ heavyThread: thread });
    const version = versionOf('v1', { several: list(pairs), few: list('self.all(a, a > 0)') });
    await define(server, widgets({ versions: [version] }));
    thread.jobs = [];
  });

  const widget = (name: string, field: string, values: readonly number[]): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name },
    spec: { [field]: [...values] },
  });
  const create = (name: string, field: string, count: number) =>
    server.request('POST', path, { body: widget(name, field, Array<number>(count).fill(1)) });

  test('run in the worker, with the limits of Kubernetes', async () => {
    assert.equal((await create('cheap', 'several', 3)).status, 201);
    assert.deepEqual(thread.jobs, []);
    assert.equal((await create('costly', 'several', costly)).status, 201);
    assert.deepEqual(thread.jobs, ['POST']);
    const { status, text } = await create('excessive', 'several', 100);
    assert.equal(status, 422);
    assert.match(text, /no further validation rules will be run due to call cost exceeds limit for rule/);
  });

  test('run in this thread where the object is as large, but its rules are cheap', async () => {
    assert.equal((await create('a', 'few', 100)).status, 201);
    assert.deepEqual(thread.jobs, []);
  });

  test('refuse an update and a patch there', async () => {
    await create('a', 'several', 3);
    const refused = [...Array<number>(costly).fill(1), 1000];
    const type = 'application/merge-patch+json';
    const patched = await server.request('PATCH', `${path}/a`, { body: { spec: { several: refused } }, type });
    assert.deepEqual([patched.status, thread.jobs], [422, ['PATCH']]);
    const read = await server.request('GET', `${path}/a`);
    const updated = await server.request('PUT', `${path}/a`, {
      body: { ...read.body, spec: { several: refused } },
    });
    assert.deepEqual([updated.status, thread.jobs], [422, ['PATCH', 'PUT']]);
    assert.match(updated.text, /not distinct enough/);
  });
});
