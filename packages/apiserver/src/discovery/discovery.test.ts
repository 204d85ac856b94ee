import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { decodeProtobuf } from '@flotilla/builtins';
import type { JsonObject } from '@flotilla/kube';
import { referenceData, startTestServer, type TestServer } from '@flotilla/testkit';
import { define, scalable, v1, widgets } from '../custom/widgets.testing.ts';

const server = await startTestServer();
const aggregatedJson = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

async function document(path: string, accept = 'application/json'): Promise<JsonObject> {
  return (await server.request('GET', path, { accept })).body;
}

async function fromProtobuf(path: string, accept: string): Promise<JsonObject> {
  const { body } = await server.send('GET', path, { accept });
  return decodeProtobuf(body as Uint8Array).object;
}

interface Named {
  [key: string]: unknown;
  name: string;
}

describe('legacy discovery', () => {
  test('starts with the versions of the core group', async () => {
    assert.deepEqual(await document('/api'), {
      kind: 'APIVersions',
      versions: ['v1'],
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '127.0.0.1:6443' }],
    });
  });

  test('has an empty list of definitions, so that kubectl reports unknown kinds', async () => {
    const { kind, items } = await document('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
    assert.deepEqual({ kind, items }, { kind: 'CustomResourceDefinitionList', items: [] });
  });

  test('has an entry for each resource and subresource', async () => {
    const { resources } = (await document('/apis/apps/v1')) as unknown as { resources: Named[] };
    assert.deepEqual(
      resources.find(({ name }) => name === 'deployments/scale'),
      {
        name: 'deployments/scale',
        singularName: '',
        namespaced: true,
        group: 'autoscaling',
        version: 'v1',
        kind: 'Scale',
        verbs: ['get', 'patch', 'update'],
      },
    );
  });

  test('is served as JSON, YAML and protobuf only', async () => {
    const { text } = await server.request('GET', '/apis/apps', { accept: 'application/yaml' });
    assert.match(text, /^apiVersion: v1\nkind: APIGroup\nname: apps\n/);
    const group = await fromProtobuf('/apis/apps', 'application/vnd.kubernetes.protobuf');
    assert.equal(group['name'], 'apps');
    assert.equal((await server.request('GET', '/apis/apps/v1', { accept: 'text/html' })).status, 406);
  });

  test('is in the list of paths', async () => {
    const { paths } = (await document('/', 'text/html')) as unknown as { paths: string[] };
    for (const path of ['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/openapi/v2', '/version']) {
      assert.ok(paths.includes(path), path);
    }
  });
});

describe('the aggregated document', () => {
  test('is sent if the Accept header prefers it', async () => {
    assert.equal((await document('/apis', `${aggregatedJson},application/json`))['kind'], 'APIGroupDiscoveryList');
    assert.equal((await document('/apis', `application/json,${aggregatedJson}`))['kind'], 'APIGroupList');
    const unknown = aggregatedJson.replace('v=v2', 'v=v2beta1');
    assert.equal((await document('/apis', `${unknown},${aggregatedJson}`))['kind'], 'APIGroupDiscoveryList');
    assert.equal((await server.request('GET', '/apis', { accept: unknown })).status, 406);
  });

  test('is not sent again for a matching ETag', async () => {
    const { headers } = await server.request('GET', '/api', { accept: aggregatedJson });
    assert.equal(headers['content-type'], aggregatedJson);
    const known = await server.request('GET', '/api', {
      accept: aggregatedJson,
      headers: { 'if-none-match': String(headers['etag']) },
    });
    assert.deepEqual([known.status, known.text], [304, '']);
  });

  test('is the same in protobuf', async () => {
    const protobuf = await fromProtobuf('/apis', aggregatedJson.replace('json', 'vnd.kubernetes.protobuf'));
    const { items } = (await document('/apis', aggregatedJson)) as unknown as { items: { metadata: Named }[] };
    const names = (list: unknown): string[] => (list as { metadata: Named }[]).map(({ metadata }) => metadata.name);
    assert.deepEqual(names(protobuf['items']), names(items));
  });

  test('has group and version in the response kind of custom resources', async () => {
    const own = await startTestServer();
    await define(own, widgets({ versions: [v1(scalable)] }));
    const { body } = await own.request('GET', '/apis', { accept: aggregatedJson });
    const { items } = body as unknown as { items: { metadata: Named; versions: { resources: JsonObject[] }[] }[] };
    const [widget] = items.find(({ metadata }) => metadata.name === 'example.com')?.versions[0]?.resources ?? [];
    const subresources = widget?.['subresources'] as { subresource: string; responseKind: JsonObject }[];
    const ofGroup = { group: 'example.com', version: 'v1', kind: 'Widget' };
    assert.deepEqual(widget?.['responseKind'], ofGroup);
    assert.deepEqual(
      subresources.map(({ subresource, responseKind }) => [subresource, responseKind]),
      [
        ['status', ofGroup],
        ['scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' }],
      ],
    );
  });

  test('is shared by servers of a process with equal discovery, not with different definitions', async () => {
    const others = await Promise.all([startTestServer(), startTestServer(), startTestServer()]);
    await define(others[1], widgets());
    await define(others[2], widgets());
    const sent = async (one: TestServer) => (await one.send('GET', '/apis', { accept: aggregatedJson })).body;
    const [plain, first, second] = await Promise.all(others.map(sent));
    assert.equal(plain, await sent(server));
    assert.equal(first, second);
    assert.notEqual(first, plain);
  });
});

const reference = referenceData();

/** Groups and versions that kube-apiserver does not serve by default. */
const optionalGroups = new Set(['internal.apiserver.k8s.io', 'storagemigration.k8s.io']);
const isStable = (version: string): boolean => /^v\d+$/.test(version);
const isServed = (group: string): boolean => !optionalGroups.has(group);

function referenceDocument(file: string): JsonObject {
  return JSON.parse(readFileSync(reference.path(`kubernetes/discovery/${file}.json`), 'utf8')) as JsonObject;
}

describe('discovery equals that of kube-apiserver', { skip: reference.skip }, () => {
  interface GroupEntry extends Named {
    versions: { groupVersion: string; version: string }[];
    preferredVersion: JsonObject;
  }

  test('in groups', async () => {
    const { groups } = referenceDocument('apis') as unknown as { groups: GroupEntry[] };
    const expected = groups
      .filter(({ name }) => isServed(name))
      .map((group) => ({ ...group, versions: group.versions.filter(({ version }) => isStable(version)) }));
    assert.deepEqual((await document('/apis'))['groups'], expected);
  });

  test('in resources', async () => {
    const { groups } = (await document('/apis')) as unknown as { groups: GroupEntry[] };
    const versions = groups.flatMap((group) => group.versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
    for (const path of ['/api/v1', ...versions]) {
      assert.deepEqual(await document(path), referenceDocument(path.slice(1).replaceAll('/', '__')), path);
    }
  });

  test('in the aggregated document', async () => {
    interface Version {
      version: string;
      resources: { resource: string; subresources?: { subresource: string }[] }[];
    }
    const expected = referenceDocument('aggregated_v2') as unknown as {
      items: { metadata: Named; versions: Version[] }[];
    };
    const items = expected.items
      .filter(({ metadata }) => isServed(metadata.name))
      .map(({ metadata, versions }) => ({
        metadata: metadata.name === undefined ? {} : { name: metadata.name },
        versions: versions.filter(({ version }) => isStable(version)),
      }));
    const ours = (await document('/apis', aggregatedJson)) as unknown as typeof expected;
    assert.deepEqual(ours.items, items);
  });
});
