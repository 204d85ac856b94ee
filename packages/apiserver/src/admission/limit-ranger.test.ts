import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const pods = '/api/v1/namespaces/default/pods';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  const limits = [
    {
      type: 'Container',
      default: { memory: '256Mi', cpu: '500m' },
      defaultRequest: { cpu: '100m' },
      max: { cpu: '2', memory: '1Gi' },
      min: { cpu: '50m' },
      maxLimitRequestRatio: { cpu: '5' },
    },
    { type: 'Pod', max: { cpu: '3' } },
    { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } },
  ];
  await post('/api/v1/namespaces/default/limitranges', { metadata: { name: 'l' }, spec: { limits } }, 201);
});

async function post(path: string, body: JsonObject, status: number): Promise<JsonObject> {
  const answer = await server.request('POST', path, { body });
  assert.equal(answer.status, status, answer.text);
  return answer.body;
}

async function refusal(...resources: readonly JsonObject[]): Promise<unknown> {
  const containers = resources.map((one, at) => ({ name: `c${at}`, image: 'i', resources: one }));
  return (await post(pods, { metadata: { name: 'x' }, spec: { containers } }, 403))['message'];
}

describe('a container', () => {
  test('gets default resources, and the pod an annotation that lists them', async () => {
    const spec = { initContainers: [{ name: 'i', image: 'i' }], containers: [{ name: 'c', image: 'i' }] };
    const pod = await post(pods, { metadata: { name: 'a' }, spec }, 201);
    const [container] = (pod['spec'] as { containers: JsonObject[] }).containers;
    assert.deepEqual(container?.['resources'], {
      limits: { cpu: '500m', memory: '256Mi' },
      requests: { cpu: '100m', memory: '256Mi' },
    });
    const set = ['container c', 'init container i'].map(
      (which) => `cpu, memory request for ${which}; cpu, memory limit for ${which}`,
    );
    assert.deepEqual((pod['metadata'] as JsonObject)['annotations'], {
      'kubernetes.io/limit-ranger': `LimitRanger plugin set: ${set.join('; ')}`,
    });
  });

  test('is refused above the maximum and below the minimum', async () => {
    assert.equal(
      await refusal({ limits: { cpu: '3' }, requests: { cpu: '1' } }),
      'pods "x" is forbidden: maximum cpu usage per Container is 2, but limit is 3',
    );
    assert.equal(
      await refusal({ limits: { cpu: '40m' }, requests: { cpu: '40m' } }),
      'pods "x" is forbidden: minimum cpu usage per Container is 50m, but request is 40m',
    );
    assert.equal(
      await refusal({ limits: { cpu: '1900m' }, requests: { cpu: '100m' } }),
      'pods "x" is forbidden: cpu max limit to request ratio per Container is 5, but provided ratio is 19.000000',
    );
  });

  test('gets all violations in one error', async () => {
    const parts = [
      'minimum cpu usage per Container is 50m, but request is 0',
      'maximum memory usage per Container is 1Gi, but limit is 1536Mi',
      'cpu max limit to request ratio per Container is 5, but no request is specified or request is 0',
    ];
    assert.equal(
      await refusal({ limits: { cpu: '1', memory: '1.5Gi' }, requests: { cpu: '0' } }),
      `pods "x" is forbidden: [${parts.join(', ')}]`,
    );
  });
});

test('the resources of a pod are the sum of its containers', async () => {
  const each = { limits: { cpu: '2' }, requests: { cpu: '1' } };
  assert.equal(await refusal(each, each), 'pods "x" is forbidden: maximum cpu usage per Pod is 3, but limit is 4');
});

test('a resize of a pod is checked too', async () => {
  await post(pods, { metadata: { name: 'r' }, spec: { containers: [{ name: 'c', image: 'i' }] } }, 201);
  const body = { spec: { containers: [{ name: 'c', resources: { limits: { cpu: '4' }, requests: { cpu: '1' } } }] } };
  const type = 'application/strategic-merge-patch+json';
  const answer = await server.request('PATCH', `${pods}/r/resize`, { body, type });
  const parts = ['maximum cpu usage per Container is 2', 'maximum cpu usage per Pod is 3'];
  assert.equal(
    answer.body['message'],
    `pods "r" is forbidden: [${parts.map((part) => `${part}, but limit is 4`).join(', ')}]`,
  );
});

test('a claim is refused below the minimum and above the maximum', async () => {
  const claim = (storage: string): JsonObject => ({
    metadata: { name: 'x' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  assert.equal(
    (await post(claims, claim('500Mi'), 403))['message'],
    'persistentvolumeclaims "x" is forbidden: minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 500Mi',
  );
  assert.equal(
    (await post(claims, claim('20Gi'), 403))['message'],
    'persistentvolumeclaims "x" is forbidden: maximum storage usage per PersistentVolumeClaim is 10Gi, but request is 20Gi',
  );
});
