import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject, User } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const jane: User = { name: 'jane', groups: [] };

let server: TestServer;

async function made(path: string, body: JsonObject): Promise<void> {
  const { status, text } = await server.request('POST', path, { body });
  assert.equal(status, 201, text);
}

before(async () => {
  server = await startTestServer();
  const streams = ['pods/exec', 'pods/attach', 'pods/portforward'];
  const rules = [
    { verbs: ['get'], apiGroups: [''], resources: streams },
    { verbs: ['create'], apiGroups: [''], resources: ['pods/attach'] },
    { verbs: ['patch', 'update'], apiGroups: ['', 'coordination.k8s.io'], resources: ['configmaps', 'leases'] },
  ];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'jane' };
  const subjects = [{ kind: 'User', name: 'jane' }];
  await made(`${rbac}/namespaces/default/roles`, { metadata: { name: 'jane' }, rules });
  await made(`${rbac}/namespaces/default/rolebindings`, { metadata: { name: 'jane' }, roleRef, subjects });
});

describe('a caller that creates an object without POST', () => {
  const path = '/api/v1/namespaces/default/configmaps/new';
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'new' } };
  const apply = (user?: User) =>
    server.request('PATCH', `${path}?fieldManager=x`, {
      body,
      type: 'application/apply-patch+yaml',
      ...(user && { user }),
    });

  test('needs the right to create for an apply', async () => {
    const { status, body: refusal } = await apply(jane);
    assert.equal(status, 403);
    const why = 'User "jane" cannot create resource "configmaps" in API group "" in the namespace "default"';
    assert.equal(refusal['message'], `configmaps "new" is forbidden: ${why}`);
    assert.equal((await apply()).status, 201);
    assert.equal((await apply(jane)).status, 200);
  });

  test('needs the right to create for an update', async () => {
    const lease = '/apis/coordination.k8s.io/v1/namespaces/default/leases/new';
    const put = (user?: User) =>
      server.request('PUT', lease, { body: { metadata: { name: 'new' } }, ...(user && { user }) });
    const { status, body: refusal } = await put(jane);
    assert.equal(status, 403);
    const where = 'in API group "coordination.k8s.io" in the namespace "default"';
    const why = `User "jane" cannot create resource "leases" ${where}`;
    assert.equal(refusal['message'], `leases.coordination.k8s.io "new" is forbidden: ${why}`);
    assert.equal((await put()).status, 201);
  });
});

test('a caller that opens a stream to a pod with GET needs the right to create', async () => {
  const get = (subresource: string) =>
    server.request('GET', `/api/v1/namespaces/default/pods/web/${subresource}`, { user: jane });
  for (const subresource of ['exec', 'portforward']) {
    const { status, body } = await get(subresource);
    assert.deepEqual([status, body['message']], [403, 'pods "web" is forbidden: ']);
  }
  assert.equal((await get('attach')).status, 404);
});
