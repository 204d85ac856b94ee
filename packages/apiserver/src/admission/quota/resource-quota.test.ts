import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { define, widgets } from '../../custom/widgets.testing.ts';
import { HeavyThread } from '../../heavy/heavy-thread.ts';
import type { Admission } from '../admission.ts';

/** Stands for webhooks: other requests run before this one is stored. */
const slow: Admission = {
  name: 'Slow',
  validate: async ({ resource }) => {
    if (resource.plural === 'secrets') await nextTurn();
  },
};

describe('a namespace with a quota', () => {
  let server: TestServer;
  let number = 0;
  let base = '';
  before(async () => {
    server = await startTestServer({ housekeeping: true, admission: [slow] });
  });
  after(() => server.stop());
  beforeEach(async () => {
    const name = `n${++number}`;
    base = `/api/v1/namespaces/${name}`;
    await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
    await server.settle();
  });

  async function limit(hard: JsonObject, spec: JsonObject = {}): Promise<void> {
    const body = { metadata: { name: 'q' }, spec: { hard, ...spec } };
    const { status, text } = await server.request('POST', `${base}/resourcequotas`, { body });
    assert.equal(status, 201, text);
    await server.settle();
  }

  async function used(): Promise<unknown> {
    const { body } = await server.request('GET', `${base}/resourcequotas/q`);
    return (body['status'] as JsonObject)['used'];
  }

  async function post(plural: string, body: JsonObject, query = ''): Promise<[status: number, message: unknown]> {
    const { status, body: answer } = await server.request('POST', `${base}/${plural}${query}`, { body });
    return [status, answer['message']];
  }

  test('admits no more than fits, however many writes are in flight', async () => {
    await limit({ 'count/secrets': '5' });
    const writes = Array.from({ length: 20 }, (_, at) => post('secrets', { metadata: { name: `s${at}` } }));
    const admitted = (await Promise.all(writes)).filter(([status]) => status === 201);
    assert.equal(admitted.length, 5);
    assert.deepEqual(await used(), { 'count/secrets': '5' });
  });

  test('charges nothing for a write that fails after admission', async () => {
    await limit({ 'count/secrets': '5' });
    const names = ['same', 'same', 'same'];
    const answers = await Promise.all(names.map((name) => post('secrets', { metadata: { name } })));
    assert.deepEqual(
      answers.map(([status]) => status).toSorted((a, b) => a - b),
      [201, 409, 409],
    );
    assert.deepEqual(await used(), { 'count/secrets': '1' });
  });

  test('checks a dry run, and charges nothing for it', async () => {
    await limit({ 'count/secrets': '1' });
    assert.deepEqual(await post('secrets', { metadata: { name: 'a' } }, '?dryRun=All'), [201, undefined]);
    await post('secrets', { metadata: { name: 'a' } });
    assert.equal((await post('secrets', { metadata: { name: 'a' } }, '?dryRun=All'))[0], 403);
    assert.deepEqual(await used(), { 'count/secrets': '1' });
  });

  test('counts what exists when the quota is made or changed', async () => {
    for (const name of ['a', 'b']) await post('secrets', { metadata: { name } });
    await limit({ 'count/secrets': '1' });
    assert.deepEqual(await used(), { 'count/secrets': '2' });
    assert.equal(
      (await post('secrets', { metadata: { name: 'c' } }))[1],
      'secrets "c" is forbidden: exceeded quota: q, requested: count/secrets=1, used: count/secrets=2, limited: count/secrets=1',
    );
    const type = 'application/merge-patch+json';
    const body = { spec: { hard: { services: '3' } } };
    await server.request('PATCH', `${base}/resourcequotas/q`, { body, type });
    await server.settle();
    assert.deepEqual(await used(), { 'count/secrets': '2', services: '0' });
  });

  test('gives back what a deleted object used', async () => {
    await limit({ 'count/secrets': '1' });
    await post('secrets', { metadata: { name: 'a' } });
    await server.request('DELETE', `${base}/secrets/a`);
    await server.settle();
    assert.deepEqual(await used(), { 'count/secrets': '0' });
  });

  test('gives back what a pod used that should have been gone', async () => {
    await limit({ pods: '1', 'count/pods': '2' });
    const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'lost', terminationGracePeriodSeconds: 30 };
    await post('pods', { metadata: { name: 'a' }, spec });
    await server.request('DELETE', `${base}/pods/a`);
    await server.settle();
    assert.deepEqual(await used(), { 'count/pods': '1', pods: '1' });
    await server.clock.advance(62_000);
    assert.deepEqual(await used(), { 'count/pods': '1', pods: '0' });
  });

  test('corrects a usage that a user wrote at the next resync', async () => {
    await limit({ 'count/secrets': '1' });
    const type = 'application/merge-patch+json';
    const body = { status: { used: { 'count/secrets': '7' } } };
    await server.request('PATCH', `${base}/resourcequotas/q/status`, { body, type });
    assert.deepEqual(await used(), { 'count/secrets': '7' });
    await server.clock.advance(301_000);
    assert.deepEqual(await used(), { 'count/secrets': '0' });
  });

  test('counts custom resources once they are defined', async () => {
    await limit({ 'count/widgets.example.com': '1' });
    assert.equal(await used(), undefined);
    await define(server, widgets());
    await server.clock.advance(1000);
    await server.settle();
    assert.deepEqual(await used(), { 'count/widgets.example.com': '0' });
    const path = `/apis/example.com/v1${base.slice('/api/v1'.length)}/widgets`;
    const make = (name: string) =>
      server.request('POST', path, { body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } } });
    assert.equal((await make('a')).status, 201);
    assert.equal(
      (await make('b')).body['message'],
      'widgets.example.com "b" is forbidden: exceeded quota: q, requested: count/widgets.example.com=1, used: count/widgets.example.com=1, limited: count/widgets.example.com=1',
    );
  });
});

test('a bare server enforces only what a status says', async () => {
  const server = await startTestServer();
  const base = '/api/v1/namespaces/default';
  const type = 'application/merge-patch+json';
  const post = async (name: string): Promise<unknown> =>
    (await server.request('POST', `${base}/secrets`, { body: { metadata: { name } } })).status;
  const body = { metadata: { name: 'q' }, spec: { hard: { secrets: '0' } } };
  await server.request('POST', `${base}/resourcequotas`, { body });
  assert.equal(await post('a'), 201);
  const status = { hard: { secrets: '2' }, used: { secrets: '1' } };
  await server.request('PATCH', `${base}/resourcequotas/q/status`, { body: { status }, type });
  assert.deepEqual([await post('b'), await post('c')], [201, 403]);
});

test('writes that are charged to large quotas run in the worker thread', async () => {
  const thread = new HeavyThread({ heavyBytes: 2000 });
  const server = await startTestServer({ heavyThread: thread, housekeeping: true });
  try {
    const base = '/api/v1/namespaces/default';
    const many = Array.from({ length: 200 }, (_, at) => [`count/things${at}.example.com`, '1']);
    const hard = { 'count/secrets': '1', ...Object.fromEntries(many) };
    await server.request('POST', `${base}/resourcequotas`, { body: { metadata: { name: 'q' }, spec: { hard } } });
    await server.settle();
    const run = test.mock.method(thread, 'run');
    const post = (name: string) => server.request('POST', `${base}/secrets`, { body: { metadata: { name } } });
    assert.deepEqual([(await post('a')).status, (await post('b')).status], [201, 403]);
    assert.equal(run.mock.callCount(), 2);
  } finally {
    await server.stop();
    await thread.stop();
  }
});

test('writes in a worker thread are charged like others', async () => {
  const thread = new HeavyThread({ heavyBytes: -1 });
  const server = await startTestServer({ heavyThread: thread, housekeeping: true });
  try {
    const base = '/api/v1/namespaces/default';
    const body = { metadata: { name: 'q' }, spec: { hard: { 'count/secrets': '3' } } };
    await server.request('POST', `${base}/resourcequotas`, { body });
    await server.settle();
    const writes = Array.from({ length: 8 }, (_, at) =>
      server.request('POST', `${base}/secrets`, { body: { metadata: { name: `s${at}` } } }),
    );
    const admitted = (await Promise.all(writes)).filter(({ status }) => status === 201);
    assert.equal(admitted.length, 3);
  } finally {
    await server.stop();
    await thread.stop();
  }
});
