import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const pods = '/api/v1/namespaces/default/pods';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  const allocatable = { cpu: '1', memory: '1Gi' };
  await create('/api/v1/nodes', { metadata: { name: 'small' }, status: { allocatable } });
  await create('/api/v1/nodes', { metadata: { name: 'other', labels: { 'kubernetes.io/os': 'windows' } } });
});

async function create(path: string, body: JsonObject): Promise<void> {
  const answer = await server.request('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
}

function asking(cpu: string, memory: string): JsonObject {
  return { name: 'c', image: 'i', resources: { limits: { cpu, memory }, requests: { cpu, memory } } };
}

/** The response to a pod on that node that resizes to these amounts. */
async function resize(node: string, cpu: string, memory: string): Promise<readonly [number, unknown, unknown]> {
  const name = `on-${node}`;
  await server.request('POST', pods, {
    body: { metadata: { name }, spec: { nodeName: node, containers: [asking('100m', '100Mi')] } },
  });
  const { status, body } = await server.request('PATCH', `${pods}/${name}/resize`, {
    body: { spec: { containers: [asking(cpu, memory)] } },
    type: 'application/strategic-merge-patch+json',
  });
  return [status, body['message'], (body['details'] as JsonObject | undefined)?.['causes']];
}

test('a pod grows up to the allocatable resources of its node', async () => {
  assert.equal((await resize('small', '500m', '512Mi'))[0], 200);
  const excess = 'cpu, requested: 3000, allocatable: 1000; memory, requested: 3221225472, allocatable: 1073741824';
  assert.deepEqual(await resize('small', '3', '3Gi'), [
    403,
    `pods "on-small" is forbidden: node didn't have enough allocatable resources: ${excess}`,
    [{ reason: 'NodeCapacity' }],
  ]);
});

test('the resources of a pod itself grow only if the kubelet of its node can do that', async () => {
  const features = 'InPlacePodLevelResourcesVerticalScaling';
  const allocatable = { cpu: '4', memory: '4Gi' };
  await create('/api/v1/nodes', { metadata: { name: 'old' }, status: { allocatable } });
  await create('/api/v1/nodes', { metadata: { name: 'new' }, status: { allocatable, declaredFeatures: [features] } });
  const grow = async (nodeName: string): Promise<readonly [number, unknown]> => {
    const path = `${pods}/level-on-${nodeName}`;
    const spec = { nodeName, containers: [{ name: 'c', image: 'i' }], resources: { requests: { cpu: '1' } } };
    await create(pods, { metadata: { name: `level-on-${nodeName}` }, spec });
    const change = { spec: { resources: { requests: { cpu: '2' } } } };
    const type = 'application/merge-patch+json';
    const { status, body } = await server.request('PATCH', `${path}/resize`, { body: change, type });
    return [status, body['message']];
  };
  assert.equal((await grow('new'))[0], 200);
  assert.deepEqual(await grow('old'), [
    403,
    `pods "level-on-old" is forbidden: pod update requires features ${features} which are not available on node "old"`,
  ]);
});

test('a pod is resized only on Linux, on a node that exists', async () => {
  assert.deepEqual(await resize('other', '200m', '200Mi'), [
    403,
    'pods "on-other" is forbidden: pod resize is only supported on linux nodes, node "other" is "windows"',
    [{ reason: 'UnsupportedPlatform' }],
  ]);
  const [status, message] = await resize('gone', '200m', '200Mi');
  assert.deepEqual([status, message], [403, 'pods "on-gone" is forbidden: node "gone" not found']);
});
