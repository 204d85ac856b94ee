import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';
import { define, versionOf, widgets } from '../../custom/widgets.testing.ts';
import { encodeObject } from '../../resources/object-bytes.ts';

const custom = '/apis/example.com/v1/namespaces/default/widgets';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** The most characters that kube-apiserver v1.36.4 with etcd stores in an object of this name. */
const largest = { [custom]: 1_572_531, [deployments]: 1_572_406 };
const tooLarge = 'etcdserver: request is too large';

function widget(characters: number, metadata: JsonObject = {}): JsonObject {
  const spec = { text: 'a'.repeat(characters) };
  return { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'x', ...metadata }, spec };
}

function deployment(characters: number): JsonObject {
  const env = [{ name: 'E', value: 'a'.repeat(characters) }];
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i', env }] } };
  const spec = { replicas: 0, selector: { matchLabels: { a: 'b' } }, template };
  return { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'x' }, spec };
}

function outcome({ status, body }: WireAnswer): unknown {
  return status < 300 ? status : [status, body['message'], body['reason']];
}

describe('objects that are too large for etcd', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
    await define(
      server,
      widgets({ versions: [versionOf('v1', { text: { type: 'string' } }, { subresources: { status: {} } })] }),
    );
  });

  const send = async (method: string, path: string, body?: JsonObject, type?: string): Promise<WireAnswer> =>
    server.request(method, path, { ...(body && { body }), ...(type !== undefined && { type }) });

  for (const [path, make] of [
    [custom, widget],
    [deployments, deployment],
  ] as const) {
    const limit = largest[path] ?? 0;
    test(`${path}: the largest is stored, without managedFields if they do not fit`, async () => {
      const { status, body } = await send('POST', path, make(limit));
      assert.deepEqual([status, (body['metadata'] as JsonObject)['managedFields']], [201, undefined]);
      assert.equal((await send('DELETE', `${path}/x`)).status, 200);
    });

    test(`${path}: one character more is refused, on create, update and patch`, async () => {
      assert.deepEqual(outcome(await send('POST', path, make(limit + 1))), [500, tooLarge, undefined]);
      await send('POST', path, make(10));
      const put = { ...make(limit + 1), metadata: { name: 'x', resourceVersion: await revisionOf(path) } };
      assert.deepEqual(outcome(await send('PUT', `${path}/x`, put)), [500, tooLarge, undefined]);
      const patch = { spec: make(limit + 1)['spec'] ?? null };
      const merged = await send('PATCH', `${path}/x`, patch, 'application/merge-patch+json');
      assert.deepEqual(outcome(merged), [500, tooLarge, undefined]);
      await send('DELETE', `${path}/x`);
    });

    test(`${path}: a dry run is not refused`, async () => {
      assert.equal((await send('POST', `${path}?dryRun=All`, make(limit + 1))).status, 201);
    });

    test(`${path}: beyond 2 MiB etcd’s client refuses`, async () => {
      const refused = outcome(await send('POST', path, make(2_900_000)));
      const sent = path === custom ? 2_900_319 : 2_900_451;
      const why = `rpc error: code = ResourceExhausted desc = trying to send message larger than max (${sent} vs. 2097152)`;
      assert.deepEqual(refused, [500, why, undefined]);
    });
  }

  test('an apply is refused, not stored without managedFields', async () => {
    const path = `${custom}/applied?fieldManager=m`;
    const body = widget(1_572_289, { name: 'applied' });
    assert.deepEqual(outcome(await send('PATCH', path, body, 'application/apply-patch+yaml')), [
      500,
      tooLarge,
      undefined,
    ]);
    const fitting = widget(1_572_288, { name: 'applied' });
    assert.equal((await send('PATCH', path, fitting, 'application/apply-patch+yaml')).status, 201);
  });

  test('an update of the status cannot exceed the limit', async () => {
    await send('POST', custom, widget(1_500_000));
    const status = { selector: 's'.repeat(100_000) };
    const patched = await send('PATCH', `${custom}/x/status`, { status }, 'application/merge-patch+json');
    assert.deepEqual(outcome(patched), [500, tooLarge, undefined]);
    await send('DELETE', `${custom}/x`);
  });

  test('one that is stored already can be read, shrunk and deleted, also with finalizers', async () => {
    await storeOversized();
    assert.equal((await send('GET', `${custom}/old`)).text.length > 3_000_000, true);
    const larger = { spec: { text: 'a'.repeat(3_000_500) } };
    const grown = await send('PATCH', `${custom}/old`, larger, 'application/merge-patch+json');
    assert.equal(grown.status, 500);
    const smaller = { spec: { text: 'a'.repeat(2_900_000) } };
    assert.equal((await send('PATCH', `${custom}/old`, smaller, 'application/merge-patch+json')).status, 200);
    assert.equal((await send('DELETE', `${custom}/old`)).status, 200);
    const marked = await send('GET', `${custom}/old`);
    assert.notEqual((marked.body['metadata'] as JsonObject)['deletionTimestamp'], undefined);
    const released = { metadata: { finalizers: null } };
    assert.equal((await send('PATCH', `${custom}/old`, released, 'application/merge-patch+json')).status, 200);
    assert.equal((await send('GET', `${custom}/old`)).status, 404);
  });

  async function revisionOf(path: string): Promise<string> {
    const { body } = await send('GET', `${path}/x`);
    return (body as unknown as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
  }

  /** Stores an object without the check, as an earlier release did. */
  async function storeOversized(): Promise<void> {
    await send('POST', custom, widget(1, { name: 'old', finalizers: ['example.com/wait'] }));
    const key = { collection: 'example.com/widgets', name: 'default/old' };
    const entry = server.store.newest(key);
    assert.ok(entry);
    const { body } = await send('GET', `${custom}/old`);
    const object = { ...body, spec: { text: 'a'.repeat(3_000_000) } } as unknown as Parameters<typeof encodeObject>[0];
    await server.store.write([
      {
        verb: 'put',
        key,
        expected: entry.revision,
        header: entry.header,
        encode: (revision) => {
          object.metadata.resourceVersion = String(revision);
          return encodeObject(object);
        },
      },
    ]);
  }
});
