import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { JsonObject, ObjectMeta } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';
const mergePatch = 'application/merge-patch+json';

describe('delete', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });

  function create(name: string, metadata: JsonObject = {}): Promise<WireAnswer> {
    return server.request('POST', configMaps, { body: { metadata: { name, ...metadata } } });
  }

  test('shows in a dry run what it would store, in order', async () => {
    await create('a', { finalizers: ['x.y/z'] });
    const { text } = await server.request('DELETE', `${configMaps}/a?dryRun=All`);
    assert.match(text, /"creationTimestamp":"[^"]+","deletionTimestamp":"[^"]+","deletionGracePeriodSeconds":0,"final/);
  });

  test('ends with the last finalizer, whose remover sees the revision that it wrote to', async () => {
    await create('a', { finalizers: ['x.y/z'] });
    const marked = await server.request('DELETE', `${configMaps}/a`);
    const body = { metadata: { finalizers: null } };
    const removed = await server.request('PATCH', `${configMaps}/a`, { type: mergePatch, body });
    assert.equal(removed.status, 200);
    assert.equal(revisionOf(removed), revisionOf(marked));
    assert.equal((await server.request('GET', `${configMaps}/a`)).status, 404);
  });

  test('of a pod that has nothing to wait for shows that it had no grace', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await server.request('POST', pods, { body: { metadata: { name: 'p' }, spec } });
    const { body } = await server.request('DELETE', `${pods}/p`);
    const { deletionGracePeriodSeconds, generation } = body['metadata'] as ObjectMeta;
    assert.deepEqual([deletionGracePeriodSeconds, generation], [0, 2]);
    assert.equal((await server.request('GET', `${pods}/p`)).status, 404);
  });

  /** What kube-apiserver answers; a count of nanoseconds that no int64 holds wraps around. */
  for (const [asked, seconds] of [
    ['60', 60],
    ['9223372036', 9_223_372_036],
    ['9223372037', -9_223_372_037],
    ['9007199254740993', 4_611_686_019],
    ['9223372036854775000', -808],
    ['9223372036854775807', -1],
  ] as const) {
    test(`of a pod keeps a grace period of ${asked} seconds, and lets later ones only shorten it`, async () => {
      const pods = '/api/v1/namespaces/default/pods';
      const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
      await server.request('POST', pods, { body: { metadata: { name: 'p' }, spec } });
      const graceAfter = async (query: string): Promise<(number | string | undefined)[]> => {
        const { text } = await server.request('DELETE', `${pods}/p${query}`);
        const [, until = '', period] =
          /"deletionTimestamp":"([^"]+)","deletionGracePeriodSeconds":(\d+)/.exec(text) ?? [];
        return [Math.round((Date.parse(until) - server.clock.now()) / 1000), period];
      };
      assert.deepEqual(await graceAfter(`?gracePeriodSeconds=${asked}`), [seconds, asked]);
      assert.deepEqual(await graceAfter(''), [seconds, asked]);
      const [, period] = await graceAfter('?gracePeriodSeconds=40');
      assert.deepEqual([period, (await graceAfter('?gracePeriodSeconds=50'))[1]], ['40', '40']);
    });
  }

  test('wraps a generation around that no int64 holds', async () => {
    await server.request('POST', configMaps, {
      body: '{"metadata":{"name":"a","generation":9223372036854775807,"finalizers":["x.y/z"]}}',
    });
    const { status, text } = await server.request('DELETE', `${configMaps}/a`);
    assert.equal(status, 200);
    assert.match(text, /"generation":-9223372036854775808,/);
  });

  test('of a namespace tells in its own words that another one was meant', async () => {
    const body = { preconditions: { uid: 'other' } };
    const { status, body: answer } = await server.request('DELETE', '/api/v1/namespaces/kube-node-lease', { body });
    assert.equal(status, 409);
    assert.match(
      answer['message'] as string,
      /^Operation cannot be fulfilled on namespaces "kube-node-lease": Precondition failed: UID in precondition: other, /,
    );
  });
});

describe('a finalizer without a slash', () => {
  test('is refused but for kinds that take any', async () => {
    const server = await startTestServer();
    const body = { metadata: { name: 'a', finalizers: ['short'] } };
    assert.equal((await server.request('POST', configMaps, { body })).status, 422);
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    assert.equal((await server.request('POST', leases, { body })).status, 201);
  });
});

describe('a name that is taken', () => {
  test('is told as a generated one when the object has a generateName too', async () => {
    const server = await startTestServer();
    const body = { metadata: { name: 'a', generateName: 'a-' } };
    await server.request('POST', configMaps, { body });
    const { status, headers, body: answer } = await server.request('POST', configMaps, { body });
    assert.deepEqual([status, headers['retry-after']], [409, '1']);
    assert.equal(
      answer['message'],
      'configmaps "a" already exists, the server was not able to generate a unique name for the object',
    );
  });
});

describe('PUT to a free name', () => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/a';

  test('creates, whatever resource version it was sent with', async () => {
    const server = await startTestServer();
    const body = { metadata: { name: 'a', resourceVersion: '5' } };
    assert.equal((await server.request('PUT', lease, { body })).status, 201);
  });

  test('is refused when it means an object that is not there', async () => {
    const server = await startTestServer();
    const { status, body } = await server.request('PUT', lease, { body: { metadata: { name: 'a', uid: 'u' } } });
    assert.equal(status, 409);
    assert.equal(
      body['message'],
      'Operation cannot be fulfilled on leases.coordination.k8s.io "a": StorageError: invalid object, Code: 4, Key: /registry/leases/default/a, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object meta: ',
    );
  });
});

function revisionOf({ body }: WireAnswer): string | undefined {
  return (body['metadata'] as ObjectMeta).resourceVersion;
}
