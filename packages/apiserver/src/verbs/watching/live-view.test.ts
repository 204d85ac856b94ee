import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  administrator,
  anonymous,
  ApiError,
  type ApiRequest,
  type LiveView,
  type User,
  type ViewChange,
} from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

function listRequest(path: string, query = ''): ApiRequest {
  return {
    method: 'GET',
    path,
    query,
    headers: {},
    user: administrator,
    body: () => Promise.resolve(new Uint8Array()),
    signal: new AbortController().signal,
  };
}

const configMaps = '/api/v1/configmaps';

async function put(server: TestServer, name: string, value: string, method = 'POST'): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  const labels = { tide: value };
  await server.request(method, method === 'POST' ? path : `${path}/${name}`, {
    body: { metadata: { name, labels }, data: { value } },
  });
}

function viewOf(server: TestServer, query = '', path = configMaps): LiveView {
  const view = server.api.view(listRequest(path, query));
  assert.ok(view);
  return view;
}

const summaryOf = ({ type, key }: ViewChange): string => `${type} ${key.namespace ?? ''}/${key.name}`;

describe('a view', () => {
  test('shows the current objects, now and later', async () => {
    const server = await startTestServer();
    const view = viewOf(server);
    assert.equal(view.size(), 0);
    await put(server, 'a', 'high');
    assert.equal(view.size(), 1);
    assert.deepEqual(view.get({ namespace: 'default', name: 'a' })?.['data'], { value: 'high' });
    assert.deepEqual(
      [...view.all()].map(({ metadata }) => metadata.name),
      ['a'],
    );
    assert.deepEqual([...view.all('elsewhere')], []);
  });

  test('returns the same outline until the object changes', async () => {
    const server = await startTestServer();
    const view = viewOf(server);
    const key = { namespace: 'default', name: 'a' };
    await put(server, 'a', 'high');
    const first = view.outline(key);
    await put(server, 'b', 'high');
    assert.equal(view.outline(key), first);
    await put(server, 'a', 'low', 'PUT');
    assert.notEqual(view.outline(key), first);
    assert.deepEqual(view.outline(key)?.uid, first?.uid);
  });

  test('tells the version of an object, which is that of its metadata', async () => {
    const server = await startTestServer();
    const view = viewOf(server);
    const key = { namespace: 'default', name: 'a' };
    assert.equal(view.version(key), undefined);
    for (const method of ['POST', 'PUT'] as const) {
      await put(server, 'a', method, method);
      const { uid, resourceVersion } = view.get(key)?.metadata ?? {};
      assert.deepEqual(view.version(key), { uid, resourceVersion });
    }
  });

  test('returns outlines of objects without parsing them', async () => {
    const server = await startTestServer();
    const outlines: string[] = [];
    const view = viewOf(server);
    view.follow(
      ({ outline }) => outlines.push(`${outline.finalizers?.join() ?? ''} ${outline.deletionTimestamp ?? ''}`),
      () => assert.fail('the view ended'),
    );
    const path = '/api/v1/namespaces/default/configmaps';
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
    const metadata = { name: 'a', finalizers: ['x.y/z'], ownerReferences: [owner] };
    await server.request('POST', path, { body: { metadata } });
    await server.request('DELETE', `${path}/a`);
    await server.turns.whenIdle();
    assert.deepEqual(outlines, ['x.y/z ', 'x.y/z 2026-01-01T00:00:00Z']);
    assert.deepEqual(view.outline({ namespace: 'default', name: 'a' })?.ownerUids, ['u']);
    assert.equal(view.outline({ namespace: 'default', name: 'b' }), undefined);
    assert.deepEqual(
      [...view.outlines('default')].map(({ key }) => key),
      [{ namespace: 'default', name: 'a' }],
    );
    assert.deepEqual([...view.outlines('elsewhere')], []);
  });

  test('passes on changes in order, with the previous state', async () => {
    const server = await startTestServer();
    await put(server, 'a', 'high');
    const changes: ViewChange[] = [];
    const stop = viewOf(server).follow(
      (change) => changes.push(change),
      () => assert.fail('the view ended'),
    );
    await put(server, 'b', 'high');
    await put(server, 'a', 'low', 'PUT');
    await server.request('DELETE', '/api/v1/namespaces/default/configmaps/b');
    await server.turns.whenIdle();
    assert.deepEqual(changes.map(summaryOf), ['ADDED default/b', 'MODIFIED default/a', 'DELETED default/b']);
    assert.deepEqual(changes[1]?.object()['data'], { value: 'low' });
    assert.deepEqual(changes[1]?.old()?.['data'], { value: 'high' });
    stop();
    await put(server, 'c', 'high');
    await server.turns.whenIdle();
    assert.equal(changes.length, 3);
  });

  test('resumes after a given revision', async () => {
    const server = await startTestServer();
    await put(server, 'a', 'high');
    const seen = viewOf(server).revision();
    await put(server, 'b', 'high');
    const changes: ViewChange[] = [];
    const collect = (change: ViewChange): number => changes.push(change);
    viewOf(server).follow(collect, () => assert.fail('the view ended'), seen);
    assert.deepEqual(changes.map(summaryOf), ['ADDED default/b']);

    await put(server, 'c', 'high');
    server.store.compact(server.store.revision);
    const error = await new Promise((ended) => viewOf(server).follow(collect, ended, seen));
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, 410);
  });

  test('with a selector reports objects that start or stop matching', async () => {
    const server = await startTestServer();
    await put(server, 'a', 'low');
    const changes: ViewChange[] = [];
    const view = viewOf(server, 'labelSelector=tide%3Dhigh');
    view.follow(
      (change) => changes.push(change),
      () => assert.fail('the view ended'),
    );
    await put(server, 'a', 'high', 'PUT');
    assert.equal(view.size(), 1);
    await put(server, 'a', 'low', 'PUT');
    await server.turns.whenIdle();
    assert.deepEqual(changes.map(summaryOf), ['ADDED default/a', 'DELETED default/a']);
    assert.equal(changes[0]?.old(), undefined);
    assert.equal(view.get({ namespace: 'default', name: 'a' }), undefined);
  });

  test('of one namespace shows no objects of another', async () => {
    const server = await startTestServer();
    await put(server, 'a', 'high');
    const view = viewOf(server, '', '/api/v1/namespaces/kube-system/configmaps');
    assert.equal(view.size(), 0);
    assert.equal(view.get({ namespace: 'default', name: 'a' }), undefined);
    assert.deepEqual([...view.all('default')], []);
  });

  for (const [where, path, query] of [
    ['in a namespace', '/api/v1/namespaces/default/configmaps', 'fieldSelector=metadata.name%3Dsea'],
    ['in all namespaces', configMaps, 'fieldSelector=metadata.name%3Dsea'],
    ['in a selected namespace', configMaps, 'fieldSelector=metadata.name%3Dsea,metadata.namespace%3Ddefault'],
  ] as const) {
    test(`of one name ${where} shows no object whose name is longer`, async () => {
      const server = await startTestServer();
      const view = viewOf(server, query, path);
      const seen: string[] = [];
      view.follow((change) => seen.push(summaryOf(change)), assert.fail);
      for (const name of ['sea', 'seal', 'se']) await put(server, name, 'high');
      assert.deepEqual(
        [...view.all()].map(({ metadata }) => metadata.name),
        ['sea'],
      );
      assert.equal(view.get({ namespace: 'default', name: 'seal' }), undefined);
      assert.deepEqual(seen, ['ADDED default/sea']);
      const { body } = await server.request('GET', `${path}?${query}`);
      assert.deepEqual(
        (body as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name),
        ['sea'],
      );
    });
  }

  test('returns the same object to all callers, without copies', async () => {
    const server = await startTestServer();
    await put(server, 'a', 'high');
    const key = { namespace: 'default', name: 'a' };
    assert.equal(viewOf(server).get(key), viewOf(server).get(key));
  });

  test('is refused to callers that may not list and watch', async () => {
    const server = await startTestServer();
    const open = (user: User | undefined) => () => server.api.view({ ...listRequest(configMaps), user });
    assert.throws(open(undefined), /Unauthorized/);
    assert.throws(open(anonymous), /User "system:anonymous" cannot list resource "configmaps"/);
    await allowJane(server, 'list');
    assert.throws(open({ name: 'jane', groups: [] }), /User "jane" cannot watch resource "configmaps"/);
  });

  test('reports no more changes once its caller loses the right, and keeps the state it showed', async () => {
    const server = await startTestServer();
    await allowJane(server, 'list', 'watch');
    await put(server, 'a', 'high');
    const user = { name: 'jane', groups: [] };
    const view = server.api.view({ ...listRequest(configMaps), user });
    assert.ok(view);
    const key = { namespace: 'default', name: 'a' };
    const shown = (of: LiveView | undefined) => [of?.get(key)?.['data'], [...(of?.all() ?? [])].length, of?.size()];
    const changes: string[] = [];
    let end: Error | undefined;
    view.follow(
      (change) => changes.push(summaryOf(change)),
      (error) => (end = error),
    );
    await put(server, 'a', 'ebb', 'PUT');
    await server.turns.whenIdle();
    await server.request('DELETE', `${rbac}/clusterrolebindings/jane`);
    await put(server, 'a', 'low', 'PUT');
    await put(server, 'b', 'low');
    await server.turns.whenIdle();
    assert.deepEqual(changes, ['MODIFIED default/a']);
    assert.match(end?.message ?? '', /User "jane" cannot list resource "configmaps"/);
    assert.deepEqual(shown(view), [{ value: 'ebb' }, 1, 1]);
    await allowJane(server, 'list', 'watch');
    assert.deepEqual(shown(view), [{ value: 'ebb' }, 1, 1], 'the view showed changes again');
    assert.deepEqual(shown(server.api.view({ ...listRequest(configMaps), user })), [{ value: 'low' }, 2, 2]);
  });

  test('shows a collection, not an object', async () => {
    const server = await startTestServer();
    assert.throws(() => server.api.view(listRequest(`${configMaps}/one`)), /could not find/);
    assert.throws(() => server.api.view(listRequest('/api/v1/nonsense')), /could not find/);
  });
});

const rbac = '/apis/rbac.authorization.k8s.io/v1';

async function allowJane(server: TestServer, ...verbs: string[]): Promise<void> {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'jane' };
  const rules = [{ verbs, apiGroups: [''], resources: ['configmaps'] }];
  await server.request('POST', `${rbac}/clusterroles`, { body: { metadata: { name: 'jane' }, rules } });
  await server.request('POST', `${rbac}/clusterrolebindings`, {
    body: { metadata: { name: 'jane' }, roleRef, subjects: [{ kind: 'User', name: 'jane' }] },
  });
}
