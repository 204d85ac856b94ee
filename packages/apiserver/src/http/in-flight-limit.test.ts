import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest, ApiResponse, User } from '@flotilla/kube';
import { TestServer } from '../test-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const plain: User = { name: 'jane', groups: ['team', 'system:authenticated'] };
const master: User = { name: 'admin', groups: ['system:masters'] };

/** A server that takes two changes at once, and two of them under way: their bodies never end before `finish`. */
async function busyServer(): Promise<{ server: TestServer; finish: () => Promise<number[]> }> {
  const server = await TestServer.start({ inFlightLimits: { reading: 400, changing: 2 } });
  const role = { metadata: { name: 'all' }, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };
  await server.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', { body: role });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'all' };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'team' }];
  const binding = { metadata: { name: 'all' }, roleRef, subjects };
  await server.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', { body: binding });
  const ends: (() => void)[] = [];
  const slow = (name: string): Promise<ApiResponse> => {
    const body = new Promise<Uint8Array>((resolve) => {
      ends.push(() => resolve(Buffer.from(JSON.stringify({ metadata: { name } }))));
    });
    return Promise.resolve(server.api.handle({ ...requestTo('POST', configMaps), body: () => body }));
  };
  const underWay = [slow('a'), slow('b')];
  return {
    server,
    finish: async () => {
      for (const end of ends) end();
      return (await Promise.all(underWay)).map(({ status }) => status);
    },
  };
}

function requestTo(method: string, path: string): ApiRequest {
  return {
    method,
    path,
    query: '',
    headers: { 'content-type': 'application/json' },
    user: plain,
    body: () => Promise.resolve(Buffer.from('{}')),
    signal: new AbortController().signal,
  };
}

describe('beyond the limit of requests in flight', () => {
  test('others are told to come again', async () => {
    const { server, finish } = await busyServer();
    const refused = await server.request('POST', configMaps, { user: plain, body: { metadata: { name: 'c' } } });
    assert.deepEqual([refused.status, refused.text], [429, 'Too many requests, please try again later.\n']);
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal(refused.headers['content-type'], 'text/plain; charset=utf-8');
    assert.deepEqual(await finish(), [201, 201]);
    const taken = await server.request('POST', configMaps, { user: plain, body: { metadata: { name: 'c' } } });
    assert.equal(taken.status, 201);
  });

  test('what reads, probes and watches goes on, and so do masters', async () => {
    const { server, finish } = await busyServer();
    assert.equal((await server.request('GET', configMaps, { user: plain })).status, 200);
    for (const path of ['/healthz', '/livez', '/readyz']) {
      assert.equal((await server.request('GET', path, { user: plain })).status, 200);
    }
    const watch = await server.watch(`${configMaps}?watch=true&resourceVersion=${server.store.revision}`, {
      user: plain,
    });
    const made = await server.request('POST', configMaps, { user: master, body: { metadata: { name: 'm' } } });
    assert.equal(made.status, 201);
    assert.equal((await watch.events()).length, 1);
    await finish();
  });

  test('a request that fails gives its place back', async () => {
    const server = await TestServer.start({ inFlightLimits: { reading: 1, changing: 1 } });
    for (let count = 0; count < 5; count++) {
      const answer = await server.request('POST', configMaps, { user: master, body: 'no JSON' });
      assert.equal(answer.status, 400);
    }
    assert.equal((await server.request('POST', configMaps, { body: { metadata: { name: 'x' } } })).status, 201);
  });
});
