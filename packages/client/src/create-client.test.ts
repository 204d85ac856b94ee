import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError, nodes, pods, type ApiHandler } from '@flotilla/kube';
import { createClient } from './create-client.ts';
import { inProcessTransport } from './in-process/in-process-transport.ts';
import { scriptedTransport, type Script } from './scripted-transport.testing.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop' } };

describe('a client', () => {
  const clientOf = (script: Script, options = {}) => {
    const transport = scriptedTransport(script);
    return { client: createClient(transport, options), requests: transport.requests };
  };
  const targets = (requests: readonly { path: string; query: string }[]): string[] =>
    requests.map(({ path, query }) => (query === '' ? path : `${path}?${query}`));

  test('builds the paths and queries of Kubernetes', async () => {
    const { client, requests } = clientOf(() => ({ body: pod }));
    await client.get(pods, { namespace: 'shop', name: 'a/b' });
    await client.get(nodes, { name: 'n1' }, { resourceVersion: '7' });
    await client.list(pods, { namespace: 'shop', labelSelector: 'a=b,c', limit: 5 });
    await client.list({ ...pods, group: 'apps' });
    await client.update(pods, pod, { subresource: 'status', dryRun: true, fieldManager: 'me' });
    assert.deepEqual(targets(requests), [
      '/api/v1/namespaces/shop/pods/a%2Fb',
      '/api/v1/nodes/n1?resourceVersion=7',
      '/api/v1/namespaces/shop/pods?labelSelector=a%3Db%2Cc&limit=5',
      '/apis/apps/v1/pods',
      '/api/v1/namespaces/shop/pods/web/status?fieldManager=me&dryRun=All',
    ]);
  });

  test('refuses a request without the name or namespace that it needs', async () => {
    const { client, requests } = clientOf(() => ({ body: pod }));
    await assert.rejects(client.get(pods, { namespace: 'shop', name: '' }), TypeError);
    await assert.rejects(client.delete(pods, { name: 'web' }), TypeError);
    await assert.rejects(client.create(pods, { ...pod, metadata: {} }), TypeError);
    assert.equal(requests.length, 0);
  });

  test('sends the preconditions of a delete in its body', async () => {
    const { client, requests } = clientOf(() => ({ body: pod }));
    await client.delete(pods, { namespace: 'shop', name: 'web' }, { uid: 'u', propagationPolicy: 'Foreground' });
    assert.deepEqual(JSON.parse(Buffer.from(requests[0]?.body?.bytes ?? []).toString()), {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      preconditions: { uid: 'u' },
      propagationPolicy: 'Foreground',
    });
  });

  test('impersonates through as() and keeps its own identity', async () => {
    const { client, requests } = clientOf(() => ({ body: pod }), { userAgent: 'agent/1' });
    const extra = { 'Team/ä': ['a', 'b'] };
    await client.as({ user: 'jane', groups: ['x', 'y,z'], uid: '7', extra }).get(nodes, { name: 'n' });
    await client.get(nodes, { name: 'n' });
    assert.deepEqual(requests[0]?.headers, {
      accept: 'application/json',
      'user-agent': 'agent/1',
      'impersonate-user': 'jane',
      'impersonate-uid': '7',
      'impersonate-group': ['x', 'y,z'],
      'impersonate-extra-team%2f%c3%a4': ['a', 'b'],
    });
    assert.deepEqual(requests[1]?.headers, { accept: 'application/json', 'user-agent': 'agent/1' });
  });

  test('turns the error page of a proxy into an ApiError', async () => {
    const { client } = clientOf(() => ({ status: 502, body: '<html>bad gateway' }));
    await assert.rejects(client.get(nodes, { name: 'n' }), (error: ApiError) => {
      assert.deepEqual([error.code, error.reason], [502, 'InternalError']);
      assert.match(error.message, /an error on the server \("<html>bad gateway"\) has prevented/);
      return error instanceof ApiError;
    });
  });

  test('continues after the last object if a list expires between pages', async () => {
    const status = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' };
    const { client, requests } = clientOf(({ query }) => {
      if (query.includes('continue=one')) return { status: 410, body: { ...status, metadata: { continue: 'now' } } };
      if (query.includes('continue=now')) return { body: { metadata: {}, items: [named('b'), named('c')] } };
      return { body: { metadata: { continue: 'one' }, items: [named('a')] } };
    });
    const names: unknown[] = [];
    for await (const { metadata } of client.each(nodes, { resourceVersion: '0' })) names.push(metadata.name);
    assert.deepEqual(names, ['a', 'b', 'c']);
    assert.deepEqual(
      requests.map(({ query }) => query),
      ['limit=500&resourceVersion=0', 'limit=500&continue=one', 'limit=500&continue=now'],
    );
  });

  test('throws if an expired list has no continue token', async () => {
    const status = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', metadata: {} };
    const { client } = clientOf(({ query }) =>
      query.includes('continue')
        ? { status: 410, body: status }
        : { body: { metadata: { continue: 'one' }, items: [named('a')] } },
    );
    await assert.rejects(async () => {
      for await (const _item of client.each(nodes));
    }, ApiError);
  });

  test('keeps keys such as __proto__ and constructor', async () => {
    const text = '{"kind":"Node","apiVersion":"v1","metadata":{"labels":{"__proto__":"x","constructor":"y"}}}';
    const { client } = clientOf(() => ({ body: text }));
    const { metadata } = await client.get(nodes, { name: 'n' });
    assert.deepEqual(Object.keys(metadata.labels ?? {}), ['__proto__', 'constructor']);
  });
});

function named(name: string): object {
  return { kind: 'Node', apiVersion: 'v1', metadata: { name } };
}

test('returns an object that the server shares only to callers that change nothing', async () => {
  const body = Buffer.from(JSON.stringify(pod));
  const handler: ApiHandler = () => ({ status: 200, headers: {}, body, sharedObject: () => pod });
  const client = createClient(inProcessTransport(handler, { name: 'jane', groups: [] }));
  const key = { namespace: 'shop', name: 'web' };
  assert.equal(await client.get(pods, key, { mayShare: true }), pod);
  assert.equal(await client.create(pods, pod, { mayShare: true }), pod);
  for (const own of [await client.get(pods, key), await client.create(pods, pod)]) {
    assert.notEqual(own, pod);
    assert.deepEqual(own, pod);
  }
});
