import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('watch', () => {
  let server: TestServer;
  /** Expected revisions are relative to this one, which follows the bootstrap objects. */
  let start: number;
  beforeEach(async () => {
    server = await startTestServer();
    start = server.store.revision;
  });
  const create = (name: string, labels = {}): Promise<unknown> =>
    server.request('POST', configMaps, { body: { metadata: { name, labels } } });
  const label = (name: string, labels: object): Promise<unknown> =>
    server.request('PATCH', `${configMaps}/${name}`, {
      type: 'application/merge-patch+json',
      body: { metadata: { labels } } as never,
    });
  const revision = (): string => String(server.store.revision);

  test('without resourceVersion starts with the existing objects, then sends changes', async () => {
    await create('a');
    const watch = await server.watch(`${configMaps}?watch=true`);
    await create('b');
    await server.request('DELETE', `${configMaps}/a`);
    assert.deepEqual(await watch.summaries(start), ['ADDED a@1', 'ADDED b@2', 'DELETED a@3']);
  });

  test('after a revision sends later events, each once', async () => {
    await create('a');
    const since = revision();
    await create('b');
    await label('b', { x: 'y' });
    const watch = await server.watch(`${configMaps}?watch=true&resourceVersion=${since}`);
    assert.deepEqual(await watch.summaries(start), ['ADDED b@2', 'MODIFIED b@3']);
  });

  test('sends DELETED with the previous state for an object that stops matching the selector', async () => {
    await create('a', { on: 'yes' });
    const watch = await server.watch(`${configMaps}?watch=true&labelSelector=on%3Dyes&resourceVersion=${revision()}`);
    await label('a', { on: 'no' });
    await label('a', { on: 'yes' });
    assert.deepEqual(await watch.summaries(start), ['DELETED a@2', 'ADDED a@3']);
    const [deleted] = await watch.events();
    assert.deepEqual(deleted?.object['metadata'], {
      ...(deleted?.object['metadata'] as object),
      labels: { on: 'yes' },
    });
  });

  test('marks the end of the initial events', async () => {
    await create('a');
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await server.watch(`${configMaps}?${query}`);
    const [, bookmark] = await watch.events();
    assert.deepEqual(bookmark, {
      type: 'BOOKMARK',
      object: {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { resourceVersion: revision(), annotations: { 'k8s.io/initial-events-end': 'true' } },
      },
    });
  });

  test('with allowWatchBookmarks sends a bookmark every minute, and one before its end', async () => {
    const watch = await server.watch(
      `${configMaps}?watch=true&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=${revision()}`,
    );
    await server.clock.advance(60_000);
    await server.clock.advance(28_000);
    assert.deepEqual(await watch.summaries(start), ['BOOKMARK @0', 'BOOKMARK @0']);
    await server.clock.advance(2_000);
    assert.ok(watch.isEnded);
  });

  test('answers a compacted revision with 410 Expired', async () => {
    await create('a');
    await create('b');
    server.store.compact(server.store.revision);
    const watch = await server.watch(`${configMaps}?watch=true&resourceVersion=1`);
    const [{ type, object } = { type: '', object: {} }] = await watch.events();
    assert.deepEqual([type, object['reason'], object['code']], ['ERROR', 'Expired', 410]);
    assert.ok(watch.isEnded);
  });

  test('loses no event for a slow reader', async () => {
    const watch = await server.watch(`${configMaps}?watch=true&resourceVersion=${revision()}`);
    watch.isFull = true;
    for (let index = 0; index < 20; index++) await create(`c${index}`);
    assert.ok((await watch.events()).length < 20, 'a full reader got all events');
    watch.drain();
    assert.equal((await watch.events()).length, 20);
  });

  test('ends for a reader that takes none of the initial events for a minute', async () => {
    const data = { text: 'x'.repeat(100_000) };
    for (const name of ['a', 'b', 'c', 'd'])
      await server.request('POST', configMaps, { body: { metadata: { name }, data } });
    const watch = await server.watch(`${configMaps}?watch=true`);
    watch.isFull = true;
    const sent = (await watch.events()).length;
    assert.ok(sent < 4);
    await server.clock.advance(50_000);
    watch.drain();
    watch.isFull = true;
    assert.ok((await watch.events()).length > sent);
    await server.clock.advance(50_000);
    assert.equal(watch.isEnded, false);
    await server.clock.advance(11_000);
    assert.ok(watch.isEnded);
  });

  test('waits for a reader that has taken the initial events', async () => {
    await create('a');
    const watch = await server.watch(`${configMaps}?watch=true`);
    watch.isFull = true;
    await create('b');
    await watch.events();
    await server.clock.advance(120_000);
    assert.equal(watch.isEnded, false);
  });

  test('without a timeout ends within an hour', async () => {
    const watch = await server.watch(`${configMaps}?watch=true`);
    await server.clock.advance(1_799_000);
    assert.equal(watch.isEnded, false);
    await server.clock.advance(1_801_000);
    assert.ok(watch.isEnded);
  });

  test('ends before the next event if the caller loses the right to it', async () => {
    const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    const metadata = { name: 'watchers' };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'watchers' };
    const rules = [{ verbs: ['watch'], apiGroups: [''], resources: ['configmaps'] }];
    await server.request('POST', `${rbac}/roles`, { body: { metadata, rules } });
    await server.request('POST', `${rbac}/rolebindings`, {
      body: { metadata, roleRef, subjects: [{ kind: 'User', name: 'jane' }] },
    });
    const since = server.store.revision;
    const target = `${configMaps}?watch=true&resourceVersion=${since}`;
    const user = { name: 'jane', groups: [] };
    const watch = await server.watch(target, { user });
    await create('seen');
    assert.deepEqual(await watch.summaries(since), ['ADDED seen@1']);
    await server.request('DELETE', `${rbac}/rolebindings/watchers`);
    await create('secret');
    assert.deepEqual(await watch.summaries(since), ['ADDED seen@1']);
    assert.ok(watch.isEnded);
    await assert.rejects(server.watch(target, { user }), /cannot watch resource/);
  });

  test('ends when the server stops', async () => {
    const watch = await server.watch(`${configMaps}?watch=true`);
    watch.stop();
    assert.ok(watch.isEnded);
  });

  test('of one namespace gets no events of another', async () => {
    const watch = await server.watch(`/api/v1/namespaces/kube-public/configmaps?watch=true`);
    await create('a');
    assert.deepEqual(await watch.events(), []);
  });

  test('marks the end of the initial events also for clients without sendInitialEvents', async () => {
    await create('a');
    const watch = await server.watch(`${configMaps}?watch=true&allowWatchBookmarks=true`);
    const [, bookmark] = await watch.events();
    assert.equal(bookmark?.type, 'BOOKMARK');
    const { annotations } = bookmark.object['metadata'] as { annotations?: Record<string, string> };
    assert.deepEqual(annotations, { 'k8s.io/initial-events-end': 'true' });
  });

  test('sends the columns only in the first Table', async () => {
    await create('a');
    await create('b');
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const watch = await server.watch(`${configMaps}?watch=true`, { accept });
    const counts = (await watch.events()).map(
      ({ object }) => (object['columnDefinitions'] as unknown[] | null)?.length,
    );
    assert.deepEqual(counts, [3, undefined]);
  });

  test('marks the end of the initial events in a Table of a kind whose cells read the spec', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const target = '/apis/apps/v1/namespaces/default/deployments?watch=true&allowWatchBookmarks=true';
    const [bookmark] = await (await server.watch(target, { accept })).events();
    assert.equal(bookmark?.type, 'BOOKMARK');
    const [row] = bookmark.object['rows'] as {
      cells: unknown[];
      object: { metadata: { annotations?: Record<string, string> } };
    }[];
    assert.deepEqual(row?.cells, ['', '', '', '', '<unknown>', '', '', '']);
    assert.deepEqual(row.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' });
  });

  test('replayed on a list equals the next list', async () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      verb: fc.constantFrom('create', 'label', 'delete'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.nat(), async (steps, seed) => {
        const fresh = await startTestServer();
        const before = await objectsOf(fresh);
        const watch = await fresh.watch(`${configMaps}?watch=true&resourceVersion=${before.revision}`);
        for (const [index, { name, verb }] of steps.entries()) await perform(fresh, name, verb, seed + index);
        const replayed = new Map(before.objects);
        for (const { type, object } of await watch.events()) {
          const { name } = object['metadata'] as { name: string };
          if (type === 'DELETED') replayed.delete(name);
          else replayed.set(name, JSON.stringify({ ...object, kind: undefined, apiVersion: undefined }));
        }
        assert.deepEqual(replayed, (await objectsOf(fresh)).objects);
      }),
      { numRuns: 30 },
    );
  });
});

async function perform(server: TestServer, name: string, verb: string, value: number): Promise<void> {
  if (verb === 'create') await server.request('POST', configMaps, { body: { metadata: { name } } });
  if (verb === 'delete') await server.request('DELETE', `${configMaps}/${name}`);
  const body = { metadata: { labels: { value: `v${value}` } } };
  if (verb === 'label')
    await server.request('PATCH', `${configMaps}/${name}`, { type: 'application/merge-patch+json', body });
}

async function objectsOf(server: TestServer): Promise<{ revision: string; objects: Map<string, string> }> {
  const { body } = await server.request('GET', configMaps);
  const items = body['items'] as { metadata: { name: string } }[];
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  return {
    revision: resourceVersion,
    objects: new Map(items.map((item) => [item.metadata.name, JSON.stringify(item)])),
  };
}
