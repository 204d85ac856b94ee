import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parseYaml, type JsonObject, type KubeObject } from '@flotilla/kube';
import { referenceData, startTestServer, type TestServer } from '@flotilla/testkit';
import { ensurePolicy } from './ensure-policy.ts';
import { bootstrapBindings, bootstrapRoles } from './bootstrap-policy.ts';

const group = '/apis/rbac.authorization.k8s.io/v1';
const viewer = `${group}/clusterroles/system:public-info-viewer`;
const viewers = `${group}/clusterrolebindings/system:public-info-viewer`;

async function again(server: TestServer): Promise<void> {
  await ensurePolicy(server.api.handle, server.store);
}

async function replace(server: TestServer, path: string, change: (object: JsonObject) => JsonObject): Promise<void> {
  const { body } = await server.request('GET', path);
  const { status } = await server.request('PUT', path, { body: change(body) });
  assert.equal(status, 200);
}

describe('the bootstrap policy', () => {
  test('exists after bootstrap, with empty aggregated roles', async () => {
    const server = await startTestServer();
    const { body } = await server.request('GET', `${group}/clusterroles/view`);
    assert.equal(body['rules'], null);
    assert.deepEqual(body['aggregationRule'], {
      clusterRoleSelectors: [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } }],
    });
    const metadata = body['metadata'] as KubeObject['metadata'];
    assert.deepEqual(metadata.labels, {
      'kubernetes.io/bootstrapping': 'rbac-defaults',
      'rbac.authorization.k8s.io/aggregate-to-edit': 'true',
    });
    assert.equal(metadata.managedFields?.[0]?.manager, 'kube-apiserver');
    const { text } = await server.request('GET', `${group}/namespaces/kube-system/rolebindings`);
    assert.match(text, /system::leader-locking-kube-scheduler/);
  });

  test('restores missing rules, and keeps added ones', async () => {
    const server = await startTestServer();
    const own = { verbs: ['get'], nonResourceURLs: ['/own'] };
    await replace(server, viewer, (role) => ({
      ...role,
      rules: [{ verbs: ['get'], nonResourceURLs: ['/heal*'] }, own],
    }));
    await again(server);
    const { body } = await server.request('GET', viewer);
    assert.deepEqual(body['rules'], [
      { verbs: ['get'], nonResourceURLs: ['/heal*'] },
      own,
      ...['/livez', '/readyz', '/version', '/version/'].map((path) => ({ verbs: ['get'], nonResourceURLs: [path] })),
    ]);
  });

  test('restores missing subjects, labels and annotations, and keeps changed values', async () => {
    const server = await startTestServer();
    const subject = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' };
    await replace(server, viewers, (binding) => ({
      ...binding,
      metadata: { name: 'system:public-info-viewer', labels: { 'kubernetes.io/bootstrapping': 'mine' } },
      subjects: [subject],
    }));
    await again(server);
    const { body } = await server.request('GET', viewers);
    const names = (body['subjects'] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(names, ['jane', 'system:authenticated', 'system:unauthenticated']);
    const { labels, annotations } = body['metadata'] as KubeObject['metadata'];
    assert.deepEqual(labels, { 'kubernetes.io/bootstrapping': 'mine' });
    assert.deepEqual(annotations, { 'rbac.authorization.kubernetes.io/autoupdate': 'true' });
  });

  test('does not change roles with the annotation autoupdate=false', async () => {
    const server = await startTestServer();
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
    await replace(server, viewer, ({ metadata, ...role }) => ({
      ...role,
      metadata: { ...(metadata as JsonObject), annotations },
      rules: [],
    }));
    await again(server);
    const { body } = await server.request('GET', viewer);
    assert.deepEqual(body['rules'] ?? [], []);
  });

  test('recreates a binding that names another role', async () => {
    const server = await startTestServer();
    const { body } = await server.request('GET', viewers);
    await server.request('DELETE', viewers);
    const roleRef = { ...(body['roleRef'] as JsonObject), name: 'cluster-admin' };
    const metadata = { name: 'system:public-info-viewer' };
    await server.request('POST', `${group}/clusterrolebindings`, { body: { ...body, metadata, roleRef } });
    await again(server);
    const { roleRef: now } = (await server.request('GET', viewers)).body;
    assert.deepEqual(now, body['roleRef']);
  });

  test('removes an unexpected aggregationRule', async () => {
    const server = await startTestServer();
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    await replace(server, viewer, (role) => ({ ...role, aggregationRule }));
    await replace(server, `${group}/clusterroles/view`, (role) => ({ ...role, aggregationRule }));
    await again(server);
    assert.equal((await server.request('GET', viewer)).body['aggregationRule'], undefined);
    const { body } = await server.request('GET', `${group}/clusterroles/view`);
    assert.equal((body['aggregationRule'] as { clusterRoleSelectors: JsonObject[] }).clusterRoleSelectors.length, 2);
  });
});

const reference = referenceData();

describe("the bootstrap policy equals kube-apiserver's", { skip: reference.skip }, () => {
  function expected(file: string): KubeObject[] {
    const { value } = parseYaml(readFileSync(reference.path(`kubernetes/rbac/${file}.yaml`), 'utf8'));
    return (value as { items: KubeObject[] }).items;
  }

  function byKey(objects: readonly KubeObject[]): Record<string, KubeObject> {
    return Object.fromEntries(
      objects.map((object) => [`${object.kind} ${object.metadata.namespace ?? ''}/${object.metadata.name}`, object]),
    );
  }

  test('in its roles', () => {
    const files = ['cluster-roles', 'controller-roles', 'namespace-roles'];
    assert.deepEqual(byKey(bootstrapRoles()), byKey(files.flatMap(expected)));
  });

  test('in its bindings', () => {
    const files = ['cluster-role-bindings', 'controller-role-bindings', 'namespace-role-bindings'];
    assert.deepEqual(byKey(bootstrapBindings()), byKey(files.flatMap(expected)));
  });
});
