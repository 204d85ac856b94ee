import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { ObjectMeta } from '@flotilla/kube';
import type { Admission } from '../../admission/admission.ts';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('update', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    await server.request('POST', configMaps, { body: { metadata: { name: 'a' } } });
  });

  async function put(metadata: Record<string, string>): Promise<string> {
    const body = { metadata: { name: 'a', ...metadata } };
    const answer = await server.request('PUT', `${configMaps}/a`, { body });
    return answer.status === 200 ? '200' : `${answer.status} ${answer.body['message'] as string}`;
  }

  test('without resourceVersion updates the newest object', async () => {
    assert.equal(await put({}), '200');
    assert.equal(await put({ resourceVersion: '0' }), '200');
  });

  test('is refused if its resourceVersion is no number, or outdated', async () => {
    assert.equal(await put({ resourceVersion: 'abc' }), '500 strconv.ParseUint: parsing "abc": invalid syntax');
    assert.match(await put({ resourceVersion: '1' }), /^409 .*the object has been modified/);
  });

  test('removes the namespace of cluster-scoped objects', async () => {
    const body = { metadata: { name: 'n', namespace: 'default' } };
    const created = await server.request('POST', '/api/v1/nodes', { body });
    assert.equal(created.status, 201);
    assert.equal((created.body['metadata'] as { namespace?: string }).namespace, undefined);
  });
});

test('an update that starts again after a conflict edits the object that was sent', async () => {
  let attempts = 0;
  const interrupted: Admission = {
    name: 'Interrupted',
    async admit({ object }) {
      const data = object?.['data'] as Record<string, string> | undefined;
      if (data?.['sent'] === undefined) return;
      data[`attempt-${++attempts}`] = 'admitted';
      if (attempts > 1) return;
      await server.request('PUT', `${configMaps}/a`, { body: { metadata: { name: 'a' }, data: { other: 'y' } } });
    },
  };
  const server = await startTestServer({ admission: [interrupted] });
  await server.request('POST', configMaps, { body: { metadata: { name: 'a' } } });
  const body = { metadata: { name: 'a' }, data: { sent: 'x' }, unknown: 1 };
  const answer = await server.request('PUT', `${configMaps}/a`, { body });
  assert.deepEqual(answer.body['data'], { 'attempt-2': 'admitted', sent: 'x' });
  assert.deepEqual(answer.headers['warning'], ['299 - "unknown field \\"unknown\\""']);
});

describe('create', () => {
  test('ignores a resourceVersion that is no number', async () => {
    const server = await startTestServer();
    const answer = await server.request('POST', configMaps, {
      body: { metadata: { name: 'b', resourceVersion: 'x' } },
    });
    assert.equal(answer.status, 201);
  });

  test('records the manager of an empty list, though the list is not stored', async () => {
    const server = await startTestServer();
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';
    const { body } = await server.request('POST', roles, { body: { metadata: { name: 'r' }, rules: [] } });
    const [entry] = (body['metadata'] as ObjectMeta).managedFields ?? [];
    assert.deepEqual(entry?.fieldsV1, { 'f:rules': {} });
    assert.equal(body['rules'], null);
  });
});

describe('scale', () => {
  test('returns the warnings of a write to the workload', async () => {
    const server = await startTestServer();
    const deployments = '/apis/apps/v1/namespaces/default/deployments';
    const containers = ['c', 'd'].map((name) => ({ name, image: 'i', ports: [{ containerPort: 80 }] }));
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers } };
    const body = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    await server.request('POST', deployments, { body });
    const type = 'application/merge-patch+json';
    const { headers } = await server.request('PATCH', `${deployments}/d/scale`, {
      type,
      body: { spec: { replicas: 2 } },
    });
    assert.deepEqual(headers['warning'], [
      '299 - "spec.template.spec.containers[1].ports[0]: duplicate port definition with spec.template.spec.containers[0].ports[0]"',
    ]);
  });
});
