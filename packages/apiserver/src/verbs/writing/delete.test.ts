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

  test('answers a dry run with the object that it would store, in wire order', async () => {
    await create('a', { finalizers: ['x.y/z'] });
    const { text } = await server.request('DELETE', `${configMaps}/a?dryRun=All`);
    assert.match(text, /"creationTimestamp":"[^"]+","deletionTimestamp":"[^"]+","deletionGracePeriodSeconds":0,"final/);
  });

  test('ends when the last finalizer is removed, and that update returns the revision it wrote to', async () => {
    await create('a', { finalizers: ['x.y/z'] });
    const marked = await server.request('DELETE', `${configMaps}/a`);
    const body = { metadata: { finalizers: null } };
    const removed = await server.request('PATCH', `${configMaps}/a`, { type: mergePatch, body });
    assert.equal(removed.status, 200);
    assert.equal(revisionOf(removed), revisionOf(marked));
    assert.equal((await server.request('GET', `${configMaps}/a`)).status, 404);
  });

  test('of an unscheduled pod returns a grace period of 0', async () => {
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await server.request('POST', pods, { body: { metadata: { name: 'p' }, spec } });
    const { body } = await server.request('DELETE', `${pods}/p`);
    const { deletionGracePeriodSeconds, generation } = body['metadata'] as ObjectMeta;
    assert.deepEqual([deletionGracePeriodSeconds, generation], [0, 2]);
    assert.equal((await server.request('GET', `${pods}/p`)).status, 404);
  });

  /** Answers of kube-apiserver. Nanoseconds that overflow an int64 wrap around. */
  for (const [requested, seconds] of [
    ['60', 60],
    ['9223372036', 9_223_372_036],
    ['9223372037', -9_223_372_037],
    ['9007199254740993', 4_611_686_019],
    ['9223372036854775000', -808],
    ['9223372036854775807', -1],
  ] as const) {
    test(`of a pod keeps a grace period of ${requested} seconds, and lets later ones only shorten it`, async () => {
      const pods = '/api/v1/namespaces/default/pods';
      const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
      await server.request('POST', pods, { body: { metadata: { name: 'p' }, spec } });
      const graceAfter = async (query: string): Promise<(number | string | undefined)[]> => {
        const { text } = await server.request('DELETE', `${pods}/p${query}`);
        const [, until = '', period] =
          /"deletionTimestamp":"([^"]+)","deletionGracePeriodSeconds":(\d+)/.exec(text) ?? [];
        return [Math.round((Date.parse(until) - server.clock.now()) / 1000), period];
      };
      assert.deepEqual(await graceAfter(`?gracePeriodSeconds=${requested}`), [seconds, requested]);
      assert.deepEqual(await graceAfter(''), [seconds, requested]);
      const [, period] = await graceAfter('?gracePeriodSeconds=40');
      assert.deepEqual([period, (await graceAfter('?gracePeriodSeconds=50'))[1]], ['40', '40']);
    });
  }

  test('wraps a generation that overflows an int64', async () => {
    await server.request('POST', configMaps, {
      body: '{"metadata":{"name":"a","generation":9223372036854775807,"finalizers":["x.y/z"]}}',
    });
    const { status, text } = await server.request('DELETE', `${configMaps}/a`);
    assert.equal(status, 200);
    assert.match(text, /"generation":-9223372036854775808,/);
  });

  test('of a namespace with another uid is refused with an error of its own', async () => {
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
  test('is refused except by kinds that allow any finalizer', async () => {
    const server = await startTestServer();
    const body = { metadata: { name: 'a', finalizers: ['short'] } };
    assert.equal((await server.request('POST', configMaps, { body })).status, 422);
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    assert.equal((await server.request('POST', leases, { body })).status, 201);
  });
});

describe('a create with a name that exists', () => {
  test('reports a generated name if the object has a generateName too', async () => {
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

describe('PUT to a name that does not exist', () => {
  const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/a';

  test('creates the object, whatever resourceVersion it has', async () => {
    const server = await startTestServer();
    const body = { metadata: { name: 'a', resourceVersion: '5' } };
    assert.equal((await server.request('PUT', lease, { body })).status, 201);
  });

  test('is refused if it has a uid', async () => {
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
