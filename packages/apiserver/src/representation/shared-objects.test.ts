import assert from 'node:assert/strict';
import { test } from 'node:test';
import { administrator, type JsonObject, type KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { define, scalable, v1, versionOf, widgets } from '../custom/widgets.testing.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';

/** Modules are strict, so that an edit of a frozen object throws. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}

type Write = readonly [method: string, target: string, type: string, body: () => unknown];

const merge = 'application/merge-patch+json';

function viewOf(server: TestServer, path: string): () => KubeObject {
  const view = server.api.view({
    method: 'GET',
    path,
    query: '',
    headers: {},
    user: administrator,
    body: () => Promise.resolve(new Uint8Array()),
    signal: new AbortController().signal,
  });
  return () => view?.get({ namespace: 'default', name: 'a' }) as KubeObject;
}

async function checkWrites(server: TestServer, path: string, writes: readonly Write[]): Promise<void> {
  const current = viewOf(server, path);
  for (const [method, target, contentType, body] of writes) {
    const before = current();
    const text = JSON.stringify(before);
    deepFreeze(before);
    const answer = await server.request(method, `${path}${target}`, { type: contentType, body: body() as JsonObject });
    assert.equal(answer.status, 200, answer.text);
    assert.notEqual(current().metadata.resourceVersion, before.metadata.resourceVersion);
    assert.equal(JSON.stringify(before), text, `${method} ${target}`);
    assert.deepEqual(current(), JSON.parse((await server.request('GET', `${path}/a`)).text));
  }
}

test('no write edits the object that a view has of the state before', async () => {
  const server = await startTestServer();
  await define(server, widgets({ versions: [v1(scalable)] }));
  const current = viewOf(server, path);
  const type = { apiVersion: 'example.com/v1', kind: 'Widget' };
  const object = (more: JsonObject): JsonObject => ({
    ...type,
    metadata: { name: 'a', finalizers: ['x.y/z'] },
    ...more,
  });
  await server.request('POST', path, { body: object({ spec: { color: 'red' } }) });
  await checkWrites(server, path, [
    ['PATCH', '/a', merge, () => ({ metadata: { labels: { a: 'b' } }, spec: { size: 2 } })],
    ['PATCH', '/a', 'application/json-patch+json', () => [{ op: 'replace', path: '/spec/color', value: 'blue' }]],
    ['PUT', '/a/status', 'application/json', () => ({ ...current(), status: { replicas: 1 } })],
    ['PATCH', '/a/status', merge, () => ({ status: { selector: 'a=b' } })],
    ['PUT', '/a', 'application/json', () => ({ ...current(), spec: { size: 3, color: 'green' } })],
    ['PATCH', '/a?fieldManager=m&force=true', 'application/apply-patch+yaml', () => object({ spec: { size: 4 } })],
    ['DELETE', '/a', 'application/json', () => ({})],
  ]);
});

test('nor that of a built-in kind', async () => {
  const server = await startTestServer();
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const current = viewOf(server, deployments);
  const labels = { app: 'web' };
  const containers = [{ name: 'web', image: 'nginx' }];
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
  const object = (more: JsonObject): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a', finalizers: ['x.y/z'] },
    spec: { ...spec, ...more },
  });
  await server.request('POST', deployments, { body: object({}) });
  const strategic = 'application/strategic-merge-patch+json';
  const sidecar = { spec: { template: { spec: { containers: [{ name: 'log', image: 'log' }] } } } };
  await checkWrites(server, deployments, [
    ['PATCH', '/a', strategic, () => sidecar],
    ['PATCH', '/a', merge, () => ({ metadata: { labels: { a: 'b' } }, spec: { replicas: 2 } })],
    ['PATCH', '/a', 'application/json-patch+json', () => [{ op: 'replace', path: '/spec/replicas', value: 3 }]],
    ['PUT', '/a/status', 'application/json', () => ({ ...current(), status: { replicas: 1 } })],
    ['PATCH', '/a/status', merge, () => ({ status: { readyReplicas: 1 } })],
    ['PUT', '/a', 'application/json', () => object({ replicas: 4 })],
    ['PATCH', '/a/scale', merge, () => ({ spec: { replicas: 5 } })],
    ['PATCH', '/a?fieldManager=m&force=true', 'application/apply-patch+yaml', () => object({ replicas: 6 })],
    ['DELETE', '/a', 'application/json', () => ({})],
  ]);
});

test('a number that is printed otherwise than it was written is shared as it is stored', async () => {
  const server = await startTestServer();
  await define(server, widgets({ versions: [versionOf('v1', { share: { type: 'number' } })] }));
  const current = viewOf(server, path);
  const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { share: 1 } };
  await server.request('POST', path, { body });
  assert.deepEqual(current()['spec'], { share: 1 });
  const answer = await server.request('PATCH', `${path}/a`, { type: merge, body: '{"spec":{"share":2.0}}' });
  assert.equal(answer.status, 200);
  assert.deepEqual(current()['spec'], { share: 2 });
});
