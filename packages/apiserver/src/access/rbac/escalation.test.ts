/** Answers as recorded from kube-apiserver v1.36. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject, User } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';

const group = '/apis/rbac.authorization.k8s.io/v1';
const bob: User = { name: 'bob', groups: ['g', 'system:authenticated'] };
const grants =
  'user "bob" (groups=["g" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:';

let server: TestServer;

async function as(user: User, method: string, path: string, body: JsonObject): Promise<WireAnswer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return server.request(method, path.startsWith('/') ? path : `${group}/${path}`, { user, body, type });
}

async function made(path: string, body: JsonObject): Promise<void> {
  const { status, text } = await server.request('POST', `${group}/${path}`, { body });
  assert.equal(status, 201, text);
}

function role(name: string, ...rules: JsonObject[]): JsonObject {
  return { metadata: { name }, rules };
}

function binding(name: string, kind: string, roleName: string, user = 'nobody'): JsonObject {
  const subjects = [{ kind: 'User', name: user }];
  return { metadata: { name }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName }, subjects };
}

function rule(verbs: string[], resources: string[], apiGroups = [''], resourceNames?: string[]): JsonObject {
  return { verbs, apiGroups, resources, ...(resourceNames && { resourceNames }) };
}

const writes = ['get', 'create', 'update', 'patch'];

before(async () => {
  server = await startTestServer();
  const kinds = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'];
  await made(
    'clusterroles',
    role('writer', rule(writes, kinds, ['rbac.authorization.k8s.io']), rule(['get', 'list'], ['pods'])),
  );
  await made('clusterrolebindings', binding('writer', 'ClusterRole', 'writer', 'bob'));
});

describe('a role', () => {
  test('may grant what its author holds', async () => {
    const { status } = await as(
      bob,
      'POST',
      'namespaces/default/roles',
      role('ok', rule(['get'], ['pods'], [''], ['x'])),
    );
    assert.equal(status, 201);
  });

  test('may not grant more', async () => {
    const rules = [
      rule(['get', 'delete', 'create'], ['pods', 'pods/log'], ['', 'apps']),
      rule(['get'], ['secrets'], [''], ['a', 'b']),
    ];
    const { status, body } = await as(bob, 'POST', 'namespaces/default/roles', role('r', ...rules));
    assert.equal(status, 403);
    assert.deepEqual(body['details'], { name: 'r', group: 'rbac.authorization.k8s.io', kind: 'roles' });
    assert.deepEqual((body['message'] as string).split('\n'), [
      `roles.rbac.authorization.k8s.io "r" is forbidden: ${grants}`,
      '{APIGroups:[""], Resources:["pods"], Verbs:["delete" "create"]}',
      '{APIGroups:[""], Resources:["pods/log"], Verbs:["get" "delete" "create"]}',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}',
      '{APIGroups:["apps"], Resources:["pods"], Verbs:["get" "delete" "create"]}',
      '{APIGroups:["apps"], Resources:["pods/log"], Verbs:["get" "delete" "create"]}',
    ]);
  });

  test('is refused for escalation before it is validated', async () => {
    const { status } = await as(bob, 'POST', 'namespaces/default/roles', role('not/valid', rule(['get'], ['secrets'])));
    assert.equal(status, 403);
  });

  test('is checked for an update that creates it, and for one that changes it', async () => {
    const more = rule(['watch'], ['pods'], [''], ['x']);
    for (const name of ['ok', 'new']) {
      const { status, body } = await as(bob, 'PUT', `namespaces/default/roles/${name}`, role(name, more));
      assert.equal(status, 403);
      const line = '{APIGroups:[""], Resources:["pods"], ResourceNames:["x"], Verbs:["watch"]}';
      assert.equal(body['message'], `roles.rbac.authorization.k8s.io "${name}" is forbidden: ${grants}\n${line}`);
    }
  });

  test('may keep rights that its author does not hold if only owners and finalizers change', async () => {
    const path = 'clusterroles/cluster-admin';
    const finalized = await as(bob, 'PATCH', path, { metadata: { finalizers: ['a.b/c'] } });
    assert.equal(finalized.status, 200);
    assert.equal((await as(bob, 'PATCH', path, { metadata: { labels: { a: 'b' } } })).status, 403);
  });

  test('may have an aggregationRule only if its author holds all rights', async () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const refused = await as(bob, 'POST', 'clusterroles', { ...role('gathering'), aggregationRule });
    const why = 'must have cluster-admin privileges to use the aggregationRule';
    assert.equal(refused.body['message'], `clusterroles.rbac.authorization.k8s.io "gathering" is forbidden: ${why}`);
    assert.equal((await as(bob, 'PATCH', 'clusterroles/view', { metadata: { labels: { a: 'b' } } })).status, 403);
  });

  test('may grant anything if its author has the verb escalate on it', async () => {
    const escalate = rule(['escalate'], ['roles'], ['rbac.authorization.k8s.io'], ['special']);
    await made('namespaces/default/roles', role('escalator', escalate));
    await made('namespaces/default/rolebindings', binding('escalator', 'Role', 'escalator', 'bob'));
    const everything = rule(['*'], ['*'], ['*']);
    const put = (name: string) => as(bob, 'PUT', `namespaces/default/roles/${name}`, role(name, everything));
    assert.equal((await put('special')).status, 201);
    assert.equal((await put('other')).status, 403);
    // A POST has no name in its path, so that the rule with a name does not match.
    const posted = await as(bob, 'POST', 'namespaces/kube-system/roles', role('special', everything));
    assert.equal(posted.status, 403);
  });
});

describe('a binding', () => {
  test('may grant what its author holds', async () => {
    const { status } = await as(bob, 'POST', 'namespaces/default/rolebindings', binding('b', 'ClusterRole', 'writer'));
    assert.equal(status, 201);
  });

  test('may not grant more', async () => {
    const { body } = await as(bob, 'POST', 'clusterrolebindings', binding('b', 'ClusterRole', 'cluster-admin', 'bob'));
    assert.deepEqual((body['message'] as string).split('\n'), [
      `clusterrolebindings.rbac.authorization.k8s.io "b" is forbidden: ${grants}`,
      '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
      '{NonResourceURLs:["*"], Verbs:["*"]}',
    ]);
  });

  test('needs an existing role', async () => {
    for (const kind of ['ClusterRole', 'Role']) {
      const { status, body } = await as(bob, 'POST', 'namespaces/default/rolebindings', binding('c', kind, 'gone'));
      assert.equal(status, 404);
      assert.equal(body['message'], 'rolebindings.rbac.authorization.k8s.io "gone" not found');
    }
    const strange = await as(bob, 'POST', 'namespaces/default/rolebindings', binding('c', 'Rolex', 'gone'));
    assert.deepEqual([strange.status, strange.body['message']], [500, 'unsupported role reference kind: "Rolex"']);
    assert.equal((await as(bob, 'POST', 'namespaces/default/rolebindings', { metadata: { name: 'c' } })).status, 500);
  });

  test('cannot change its role', async () => {
    const { status, body } = await as(
      bob,
      'PUT',
      'namespaces/default/rolebindings/b',
      binding('b', 'ClusterRole', 'edit'),
    );
    assert.equal(status, 422);
    const value = '{"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}';
    const why = `roleRef: Invalid value: ${value}: cannot change roleRef`;
    assert.equal(body['message'], `RoleBinding.rbac.authorization.k8s.io "b" is invalid: ${why}`);
  });

  test('may grant anything if its author has the verb bind on the role in that namespace', async () => {
    const bind = rule(['bind'], ['clusterroles'], ['rbac.authorization.k8s.io'], ['cluster-admin']);
    await made('namespaces/default/roles', role('binder', bind));
    await made('namespaces/default/rolebindings', binding('binder', 'Role', 'binder', 'bob'));
    const post = (path: string) => as(bob, 'POST', path, binding('bound', 'ClusterRole', 'cluster-admin'));
    assert.equal((await post('namespaces/default/rolebindings')).status, 201);
    assert.equal((await post('namespaces/kube-system/rolebindings')).status, 403);
    assert.equal((await post('clusterrolebindings')).status, 403);
  });
});

test('the message lists the missing roles of the caller', async () => {
  await made('namespaces/kube-public/rolebindings', binding('lost', 'Role', 'lost', 'bob'));
  const { body } = await as(bob, 'POST', 'namespaces/kube-public/roles', role('r', rule(['get'], ['secrets'])));
  const line = '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}';
  const unresolved = 'resolution errors: [roles.rbac.authorization.k8s.io "lost" not found]';
  assert.equal(body['message'], `roles.rbac.authorization.k8s.io "r" is forbidden: ${grants}\n${line}; ${unresolved}`);
});
