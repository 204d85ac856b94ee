import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, User } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import type { Access, Decision } from '../authorizer.ts';

const group = '/apis/rbac.authorization.k8s.io/v1';
const jane: User = { name: 'jane', groups: ['team', 'system:authenticated'] };
const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];

async function write(server: TestServer, method: string, path: string, body?: JsonObject): Promise<void> {
  const { status, text } = await server.request(method, `${group}/${path}`, body ? { body } : {});
  assert.ok(status < 300, text);
}

function role(name: string): JsonObject {
  return { metadata: { name }, rules };
}

function binding(name: string, kind: string, roleName: string, ...subjects: JsonObject[]): JsonObject {
  return { metadata: { name }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName }, subjects };
}

function getPod(user: User, namespace: string): Access {
  return {
    isResource: true,
    user,
    verb: 'get',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: '',
    namespace,
    name: 'web',
  };
}

function decide(server: TestServer, user: User, namespace: string): Decision {
  return server.api.parts.access.authorize(getPod(user, namespace));
}

describe('access', () => {
  test('is granted by a ClusterRole, in all namespaces or in one', async () => {
    const server = await startTestServer();
    await write(server, 'POST', 'clusterroles', role('reader'));
    await write(
      server,
      'POST',
      'namespaces/default/rolebindings',
      binding('one', 'ClusterRole', 'reader', { kind: 'User', name: 'jane' }),
    );
    assert.equal(decide(server, jane, 'default').isAllowed, true);
    assert.equal(decide(server, jane, 'kube-system').isAllowed, false);
    assert.equal(decide(server, jane, '').isAllowed, false);

    await write(
      server,
      'POST',
      'clusterrolebindings',
      binding('all', 'ClusterRole', 'reader', { kind: 'Group', name: 'team' }),
    );
    assert.equal(decide(server, jane, 'kube-system').isAllowed, true);
    assert.equal(decide(server, jane, '').isAllowed, true);
    assert.equal(decide(server, { name: 'team', groups: ['jane'] }, '').isAllowed, false);
  });

  test('has the granting binding as its reason', async () => {
    const server = await startTestServer();
    await write(server, 'POST', 'clusterroles', role('reader'));
    const account = { kind: 'ServiceAccount', name: 'robot', namespace: 'kube-system' };
    await write(
      server,
      'POST',
      'clusterrolebindings',
      binding('all', 'ClusterRole', 'reader', { kind: 'Group', name: 'team' }),
    );
    await write(server, 'POST', 'namespaces/default/roles', role('local'));
    await write(server, 'POST', 'namespaces/default/rolebindings', binding('some', 'Role', 'local', account));
    assert.equal(
      decide(server, jane, 'default').reason,
      'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to Group "team"',
    );
    assert.equal(
      decide(server, { name: 'system:serviceaccount:kube-system:robot', groups: [] }, 'default').reason,
      'RBAC: allowed by RoleBinding "some/default" of Role "local" to ServiceAccount "robot/kube-system"',
    );
    assert.deepEqual(decide(server, { name: 'root', groups: ['system:masters'] }, ''), { isAllowed: true, reason: '' });
  });

  test('follows changes of roles and bindings at once', async () => {
    const server = await startTestServer();
    const user = { kind: 'User', name: 'jane' };
    const allowed = () => decide(server, jane, 'default').isAllowed;
    await write(server, 'POST', 'namespaces/default/rolebindings', binding('b', 'Role', 'r', user));
    assert.equal(allowed(), false);
    await write(server, 'POST', 'namespaces/default/roles', role('r'));
    assert.equal(allowed(), true);
    await write(server, 'PUT', 'namespaces/default/roles/r', { ...role('r'), rules: [] });
    assert.equal(allowed(), false);
    await write(server, 'PUT', 'namespaces/default/roles/r', role('r'));
    await write(
      server,
      'PUT',
      'namespaces/default/rolebindings/b',
      binding('b', 'Role', 'r', { ...user, name: 'joe' }),
    );
    assert.equal(allowed(), false);
    await write(server, 'PUT', 'namespaces/default/rolebindings/b', binding('b', 'Role', 'r', user));
    assert.equal(allowed(), true);
    await write(server, 'DELETE', 'namespaces/default/rolebindings/b');
    assert.equal(allowed(), false);
  });

  test('is current after a compaction', async () => {
    const server = await startTestServer();
    assert.equal(decide(server, jane, '').isAllowed, false);
    await write(server, 'POST', 'clusterroles', role('reader'));
    await write(
      server,
      'POST',
      'clusterrolebindings',
      binding('all', 'ClusterRole', 'reader', { kind: 'User', name: 'jane' }),
    );
    server.store.compact(server.store.revision);
    assert.equal(decide(server, jane, '').isAllowed, true);
    await write(server, 'DELETE', 'clusterrolebindings/all');
    assert.equal(decide(server, jane, '').isAllowed, false);
  });

  test('that is denied has missing roles as its reason', async () => {
    const server = await startTestServer();
    const user = { kind: 'User', name: 'jane' };
    await write(server, 'POST', 'clusterrolebindings', binding('a', 'ClusterRole', 'gone', user));
    assert.equal(decide(server, jane, '').reason, 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found');
    await write(
      server,
      'POST',
      'namespaces/default/rolebindings',
      binding('b', 'Role', 'lost', user, { kind: 'Group', name: 'team' }),
    );
    assert.equal(
      decide(server, jane, 'default').reason,
      'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "lost" not found]',
    );
  });
});
