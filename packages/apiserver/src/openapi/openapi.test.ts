import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { referenceData, startTestServer } from '@flotilla/testkit';
import { define, v1, widgets } from '../custom/widgets.testing.ts';

const server = await startTestServer();
type Paths = Record<string, Record<string, JsonObject> & { parameters?: { name: string; in: string }[] }>;

async function pathsOf(key: string, from = server): Promise<Paths> {
  return (await from.request('GET', `/openapi/v3/${key}`)).body['paths'] as unknown as Paths;
}

describe('version 3 documents', () => {
  test('list parameters that all operations share once, at the path', async () => {
    const paths = await pathsOf('apis/apps/v1');
    const { get, post, parameters } = paths['/apis/apps/v1/namespaces/{namespace}/deployments'] ?? {};
    assert.deepEqual(
      parameters?.map(({ name }) => name),
      ['namespace', 'pretty'],
    );
    const own = (operation: JsonObject | undefined): string[] =>
      ((operation?.['parameters'] ?? []) as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(own(post), ['dryRun', 'fieldManager', 'fieldValidation']);
    assert.ok(own(get).includes('labelSelector'));
    assert.ok(paths['/apis/apps/v1/deployments']?.parameters?.some(({ name }) => name === 'labelSelector'));
  });

  test('have the operation ids of generated clients', async () => {
    const core = await pathsOf('api/v1');
    const id = (path: string, method: string): unknown => core[path]?.[method]?.['operationId'];
    assert.equal(id('/api/v1/namespaces/{namespace}/pods', 'delete'), 'deleteCoreV1CollectionNamespacedPod');
    assert.equal(id('/api/v1/watch/pods', 'get'), 'watchCoreV1PodListForAllNamespaces');
    assert.equal(id('/api/v1/nodes/{name}/proxy/{path}', 'options'), 'connectCoreV1OptionsNodeProxyWithPath');
    const roles = await pathsOf('apis/rbac.authorization.k8s.io/v1');
    const { get } = roles['/apis/rbac.authorization.k8s.io/v1/clusterroles'] ?? {};
    assert.equal(get?.['operationId'], 'listRbacAuthorizationV1ClusterRole');
    assert.deepEqual(get?.['tags'], ['rbacAuthorization_v1']);
  });

  test('have operation ids of custom resources from letters and digits of group and kind', async () => {
    const own = await startTestServer();
    const group = '3-sea.cert-manager.k8s-x.io';
    const scope = 'Cluster';
    for (const [plural, kind, namespaced] of [
      ['ships', 'ship-y', true],
      ['boats', 'boat', false],
    ] as const) {
      const definition = widgets({
        plural,
        kind,
        ...(!namespaced && { scope }),
        versions: [v1({ subresources: { status: {} } })],
      });
      definition['metadata'] = { name: `${plural}.${group}` };
      (definition['spec'] as JsonObject)['group'] = group;
      await define(own, definition);
    }
    const paths = await pathsOf(`apis/${group}/v1`, own);
    const operation = (path: string, method: string): JsonObject | undefined =>
      paths[`/apis/${group}/v1${path}`]?.[method];
    const id = (path: string, method: string): unknown => operation(path, method)?.['operationId'];
    assert.deepEqual(operation('/ships', 'get')?.['tags'], ['SeaCertManagerK8sXIo_v1']);
    assert.equal(id('/ships', 'get'), 'listSeaCertManagerK8sXIoV1ShipYForAllNamespaces');
    assert.equal(
      id('/namespaces/{namespace}/ships', 'delete'),
      'deleteSeaCertManagerK8sXIoV1CollectionNamespacedshipY',
    );
    assert.equal(
      id('/namespaces/{namespace}/ships/{name}/status', 'put'),
      'replaceSeaCertManagerK8sXIoV1NamespacedshipYStatus',
    );
    assert.equal(id('/boats/{name}', 'patch'), 'patchSeaCertManagerK8sXIoV1Boat');
  });

  test('describe subresources with their own kind', async () => {
    const core = await pathsOf('api/v1');
    const { post } = core['/api/v1/namespaces/{namespace}/pods/{name}/eviction'] ?? {};
    assert.deepEqual(post?.['x-kubernetes-group-version-kind'], { group: 'policy', version: 'v1', kind: 'Eviction' });
    const log = core['/api/v1/namespaces/{namespace}/pods/{name}/log']?.['get'] as {
      responses: Record<string, JsonObject>;
    };
    assert.deepEqual(Object.keys(log.responses['200']?.['content'] as object)[3], 'text/plain');
  });

  test('are listed with their hashes, and cacheable by hash', async () => {
    const index = (await server.request('GET', '/openapi/v3')).body['paths'] as Record<
      string,
      { serverRelativeURL: string }
    >;
    for (const key of ['api', 'api/v1', 'apis', 'apis/apps', 'apis/apps/v1', 'version']) assert.ok(index[key], key);
    const url = index['apis/apps/v1']?.serverRelativeURL ?? '';
    const lasting = await server.request('GET', url);
    assert.equal(lasting.headers['cache-control'], 'public, immutable');
    assert.match(String(lasting.headers['expires']), / UTC$/);
    assert.equal(lasting.headers['etag'], `"${url.split('hash=')[1]}"`);
    const outdated = await server.request('GET', '/openapi/v3/apis/apps/v1?hash=OLD');
    assert.deepEqual([outdated.status, outdated.headers['location']], [301, url]);
  });

  test('are not sent for a matching ETag, nor for an unsupported Accept header', async () => {
    const { headers } = await server.request('GET', '/openapi/v3/apis/apps/v1');
    const known = await server.request('GET', '/openapi/v3/apis/apps/v1', {
      headers: { 'if-none-match': String(headers['etag']) },
    });
    assert.deepEqual([known.status, known.text], [304, '']);
    const unreadable = await server.request('GET', '/openapi/v3/apis/apps/v1', {
      headers: { accept: 'application/yaml' },
    });
    assert.deepEqual([unreadable.status, unreadable.text], [406, '']);
    assert.equal((await server.request('GET', '/openapi/v3/apis/none/v1')).status, 404);
  });
});

describe('the version 2 document', () => {
  test('has one ETag in both encodings', async () => {
    const json = await server.request('GET', '/openapi/v2');
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const protobuf = await server.request('GET', '/openapi/v2', { headers: { accept } });
    assert.equal(protobuf.headers['content-type'], 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    assert.equal(protobuf.headers['etag'], json.headers['etag']);
    assert.equal(json.body['swagger'], '2.0');
  });

  test('refers only to definitions that it contains', async () => {
    const { text, body } = await server.request('GET', '/openapi/v2');
    const definitions = body['definitions'] as JsonObject;
    const referred = new Set([...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name ?? ''));
    assert.deepEqual(
      [...referred].filter((name) => !Object.hasOwn(definitions, name)),
      [],
    );
    assert.ok(referred.size > 400);
  });
});

const reference = referenceData();

test('paths are those of kube-apiserver', { skip: reference.skip }, async () => {
  const index = (await server.request('GET', '/openapi/v3')).body['paths'] as JsonObject;
  const folder = reference.path('kubernetes/schemas');
  const files = readdirSync(folder).map(
    (file) => [file, file.replace('_openapi.json', '').replaceAll('__', '/')] as const,
  );
  const compared = files.filter(([, key]) => Object.hasOwn(index, key));
  for (const [file, key] of compared) {
    const { paths } = JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as { paths: string[] };
    assert.deepEqual(Object.keys(await pathsOf(key)), paths.sort(), key);
  }
  // The reference has no file whose name begins with a dot.
  assert.equal(compared.length, Object.keys(index).length - 1);
});
