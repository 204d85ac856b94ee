import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { TestServer } from '../test-server.ts';

const jobs = '/apis/batch/v1/namespaces/default/jobs';

function job(name: string): JsonObject {
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'example.com/main' }] };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template: { spec } } };
}

test('whoever deletes a job without a word about its pods is warned that they stay', async () => {
  const server = await TestServer.start();
  await server.request('POST', jobs, { body: job('one') });
  await server.request('POST', jobs, { body: job('two') });
  const silent = await server.request('DELETE', `${jobs}/one`);
  assert.match(String(silent.headers['warning']), /^299 - "child pods are preserved by default when jobs are deleted;/);
  const explicit = await server.request('DELETE', `${jobs}/two?propagationPolicy=Background`);
  assert.equal(explicit.headers['warning'], undefined);
  const whole = await server.request('DELETE', jobs);
  assert.match(String(whole.headers['warning']), /child pods are preserved/);
});

test('system priority classes cannot be deleted', async () => {
  const server = await TestServer.start();
  const { status, body } = await server.request(
    'DELETE',
    '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
  );
  assert.equal(status, 403);
  assert.equal(
    body['message'],
    'priorityclasses.scheduling.k8s.io "system-node-critical" is forbidden: this is a system priority class and cannot be deleted',
  );
});

test('labels that the server gives the pods of a new job are its own too, and nobody is told that they are wrong', async () => {
  const server = await TestServer.start();
  const created = await server.request('POST', jobs, { body: job('plain') });
  const { labels } = created.body['metadata'] as { labels: JsonObject };
  assert.equal(labels['job-name'], 'plain');
  const { body } = await server.request('POST', jobs, { body: job('a'.repeat(64)) });
  assert.doesNotMatch(String(body['message']), /metadata\.labels/);
});
