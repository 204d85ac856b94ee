import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient } from '../create-client.ts';
import { scriptedTransport, type Script } from '../scripted-transport.testing.ts';
import { discover } from './discover.ts';

const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

describe('discovery', () => {
  const discovering = (script: Script) => {
    const transport = scriptedTransport(script);
    const discovery = discover(createClient(transport));
    return { discovery, paths: () => transport.requests.map(({ path }) => path) };
  };

  test('reads one document for all groups and caches it by ETag', async () => {
    const { discovery, paths } = discovering(({ path, headers }) => {
      if (headers['if-none-match'] === '"1"') return { status: 304 };
      const items = path === '/api' ? [] : [aggregatedGroup('apps', 'v1', 'Deployment', 'deployments')];
      return { headers: { 'content-type': aggregatedType, etag: '"1"' }, body: { items } };
    });
    const found = await discovery.find({ group: 'apps', kind: 'Deployment' });
    assert.deepEqual([found?.plural, found?.version, found?.verbs], ['deployments', 'v1', ['get', 'list']]);
    assert.equal((await discovery.find({ plural: 'deployments' }))?.kind, 'Deployment');
    assert.deepEqual(paths(), ['/api', '/apis']);
    assert.equal(await discovery.find({ group: 'apps', kind: 'Nothing' }), undefined);
    assert.equal((await discovery.all()).kinds.length, 1);
    assert.deepEqual(paths(), ['/api', '/apis', '/api', '/apis']);
  });

  test('prefers the first version that the server lists', async () => {
    const group = aggregatedGroup('g', 'v2', 'Thing', 'things');
    const [old] = aggregatedGroup('g', 'v1', 'Thing', 'things').versions;
    const { discovery } = discovering(({ path }) => ({
      headers: { 'content-type': aggregatedType },
      body: { items: path === '/api' ? [] : [{ ...group, versions: [...group.versions, old] }] },
    }));
    assert.equal((await discovery.find({ group: 'g', kind: 'Thing' }))?.version, 'v2');
    assert.equal((await discovery.find({ group: 'g', kind: 'Thing', version: 'v1' }))?.version, 'v1');
  });

  test('lists the versions whose server did not answer as stale', async () => {
    const group = aggregatedGroup('metrics.k8s.io', 'v1', 'NodeMetrics', 'nodes', 'Stale');
    const { discovery } = discovering(({ path }) => ({
      headers: { 'content-type': aggregatedType },
      body: { items: path === '/api' ? [] : [group] },
    }));
    assert.deepEqual((await discovery.all()).stale, [{ group: 'metrics.k8s.io', version: 'v1' }]);
  });

  test('falls back to legacy discovery', async () => {
    const documents: Record<string, object> = {
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/api/v1': {
        resources: [
          { name: 'pods', singularName: 'pod', kind: 'Pod', namespaced: true, verbs: ['get'], shortNames: ['po'] },
          { name: 'pods/status', kind: 'Pod', namespaced: true, verbs: ['patch'] },
        ],
      },
      '/apis': {
        kind: 'APIGroupList',
        groups: [
          {
            name: 'g',
            versions: [{ version: 'v1beta1' }, { version: 'v1' }],
            preferredVersion: { version: 'v1' },
          },
          { name: 'away', versions: [{ version: 'v1' }], preferredVersion: { version: 'v1' } },
        ],
      },
      '/apis/g/v1': { resources: [{ name: 'things', kind: 'Thing', namespaced: false, verbs: ['list'] }] },
      '/apis/g/v1beta1': { resources: [{ name: 'things', kind: 'Thing', namespaced: false, verbs: ['list'] }] },
    };
    const { discovery } = discovering(({ path }) => {
      const body = documents[path];
      return body === undefined ? { status: 503, body: 'no' } : { body };
    });
    const pod = await discovery.find({ group: '', kind: 'Pod' });
    assert.deepEqual(pod?.subresources, [{ name: 'status', verbs: ['patch'] }]);
    assert.deepEqual([pod.namespaced, pod.shortNames, pod.singular], [true, ['po'], 'pod']);
    assert.equal((await discovery.find({ kind: 'Thing' }))?.version, 'v1');
    assert.deepEqual((await discovery.all()).stale, [{ group: 'away', version: 'v1' }]);
  });

  test('shares one refresh between concurrent callers', async () => {
    const { discovery, paths } = discovering(() => ({ headers: { 'content-type': aggregatedType }, body: {} }));
    await Promise.all([discovery.find({ kind: 'A' }), discovery.find({ kind: 'B' }), discovery.all()]);
    assert.deepEqual(paths(), ['/api', '/apis']);
  });
});

function aggregatedGroup(group: string, version: string, kind: string, plural: string, freshness = 'Current') {
  const resource = {
    resource: plural,
    responseKind: { group: '', version: '', kind },
    scope: 'Namespaced',
    singularResource: kind.toLowerCase(),
    verbs: ['get', 'list'],
  };
  return { metadata: { name: group }, versions: [{ version, resources: [resource], freshness }] };
}
