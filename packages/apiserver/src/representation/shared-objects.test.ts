import assert from 'node:assert/strict';
import { test } from 'node:test';
import { administrator, type JsonObject, type KubeObject } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { define, scalable, v1, widgets } from '../custom/widgets.testing.ts';

const path = '/apis/example.com/v1/namespaces/default/widgets';

/** Modules are strict, so that an edit of a frozen object throws. */
function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
}

test('no write edits the object that a view has of the state before', async () => {
  const server = await startTestServer();
  await define(server, widgets({ versions: [v1(scalable)] }));
  const view = server.api.view({
    method: 'GET',
    path,
    query: '',
    headers: {},
    user: administrator,
    body: () => Promise.resolve(new Uint8Array()),
    signal: new AbortController().signal,
  });
  const current = (): KubeObject => view?.get({ namespace: 'default', name: 'a' }) as KubeObject;
  const type = { apiVersion: 'example.com/v1', kind: 'Widget' };
  const object = (more: JsonObject): JsonObject => ({
    ...type,
    metadata: { name: 'a', finalizers: ['x.y/z'] },
    ...more,
  });
  await server.request('POST', path, { body: object({ spec: { color: 'red' } }) });
  const merge = 'application/merge-patch+json';
  const writes: [method: string, target: string, type: string, body: () => unknown][] = [
    ['PATCH', '/a', merge, () => ({ metadata: { labels: { a: 'b' } }, spec: { size: 2 } })],
    ['PATCH', '/a', 'application/json-patch+json', () => [{ op: 'replace', path: '/spec/color', value: 'blue' }]],
    ['PUT', '/a/status', 'application/json', () => ({ ...current(), status: { replicas: 1 } })],
    ['PATCH', '/a/status', merge, () => ({ status: { selector: 'a=b' } })],
    ['PUT', '/a', 'application/json', () => ({ ...current(), spec: { size: 3, color: 'green' } })],
    ['PATCH', '/a?fieldManager=m&force=true', 'application/apply-patch+yaml', () => object({ spec: { size: 4 } })],
    ['DELETE', '/a', 'application/json', () => ({})],
  ];
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
});
