import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const pods = '/api/v1/namespaces/default/pods';
const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const priorityClasses = '/apis/scheduling.k8s.io/v1/priorityclasses';
const storageClasses = '/apis/storage.k8s.io/v1/storageclasses';
const containers = [{ name: 'c', image: 'i' }];

let server: TestServer;
before(async () => {
  server = await startTestServer();
});

async function create(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await server.request('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function refusal(method: string, path: string, body: JsonObject): Promise<unknown> {
  const answer = await server.request(method, path, { body });
  assert.equal(answer.status, 403, answer.text);
  return answer.body['message'];
}

describe('pods', () => {
  test('tolerate a lost node for five minutes, unless they have own tolerations', async () => {
    const mine = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' };
    const pod = await create(pods, { metadata: { name: 'tolerant' }, spec: { containers, tolerations: [mine] } });
    assert.deepEqual((pod['spec'] as JsonObject)['tolerations'], [
      mine,
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
    ]);
  });

  test('get the priority of their class, of the default class, or zero', async () => {
    const spec = async (name: string, fields: JsonObject = {}): Promise<JsonObject> =>
      (await create(pods, { metadata: { name }, spec: { containers, ...fields } }))['spec'] as JsonObject;
    assert.equal((await spec('plain'))['priority'], 0);
    assert.equal((await spec('critical', { priorityClassName: 'system-node-critical' }))['priority'], 2_000_001_000);
    await create(priorityClasses, { metadata: { name: 'usual' }, value: 7, globalDefault: true });
    const usual = await spec('usual');
    assert.deepEqual([usual['priority'], usual['priorityClassName']], [7, 'usual']);
    const second = { metadata: { name: 'second' }, value: 8, globalDefault: true };
    assert.equal(
      await refusal('POST', priorityClasses, second),
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass usual is already marked as default. Only one default can exist',
    );
  });

  test('cannot have a priority class or a runtime class that does not exist', async () => {
    const body = { metadata: { name: 'x' }, spec: { containers, priorityClassName: 'none' } };
    assert.equal(await refusal('POST', pods, body), 'pods "x" is forbidden: no PriorityClass with name none was found');
    const other = { metadata: { name: 'x' }, spec: { containers, runtimeClassName: 'none' } };
    assert.equal(
      await refusal('POST', pods, other),
      'pods "x" is forbidden: pod rejected: RuntimeClass "none" not found',
    );
  });

  test('get overhead and scheduling of their runtime class', async () => {
    await create('/apis/node.k8s.io/v1/runtimeclasses', {
      metadata: { name: 'boxed' },
      handler: 'box',
      overhead: { podFixed: { cpu: '1' } },
      scheduling: { nodeSelector: { box: 'yes' } },
    });
    const pod = await create(pods, { metadata: { name: 'boxed' }, spec: { containers, runtimeClassName: 'boxed' } });
    const spec = pod['spec'] as JsonObject;
    assert.deepEqual([spec['overhead'], spec['nodeSelector']], [{ cpu: '1' }, { box: 'yes' }]);
    const body = {
      metadata: { name: 'x' },
      spec: { containers, runtimeClassName: 'boxed', nodeSelector: { box: 'no' } },
    };
    assert.equal(
      await refusal('POST', pods, body),
      'pods "x" is forbidden: conflict: runtimeClass.scheduling.nodeSelector[box] = yes; pod.spec.nodeSelector[box] = no',
    );
  });
});

test('pods get the zone label of their node, created there or bound to it', async () => {
  const zone = { 'topology.kubernetes.io/zone': 'z' };
  await create('/api/v1/nodes', { metadata: { name: 'zoned', labels: { ...zone, other: 'x' } } });
  const placed = await create(pods, { metadata: { name: 'placed' }, spec: { containers, nodeName: 'zoned' } });
  assert.deepEqual((placed['metadata'] as JsonObject)['labels'], zone);
  await create(pods, { metadata: { name: 'bound' }, spec: { containers } });
  const binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'bound' },
    target: { kind: 'Node', name: 'zoned' },
  };
  await create(`${pods}/bound/binding`, binding);
  const { body } = await server.request('GET', `${pods}/bound`);
  assert.deepEqual((body['metadata'] as JsonObject)['labels'], zone);
});

test('new nodes get the not-ready taint', async () => {
  const node = await create('/api/v1/nodes', { metadata: { name: 'n' } });
  assert.deepEqual((node['spec'] as JsonObject)['taints'], [
    { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  ]);
});

describe('claims', () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };

  test('get the protection finalizer and the newest default class', async () => {
    const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await create(storageClasses, { metadata: { name: 'old', annotations: isDefault }, provisioner: 'p' });
    await server.clock.advance(1000);
    await create(storageClasses, { metadata: { name: 'new', annotations: isDefault }, provisioner: 'p' });
    const claim = await create(claims, { metadata: { name: 'a' }, spec });
    assert.equal((claim['spec'] as JsonObject)['storageClassName'], 'new');
    assert.deepEqual((claim['metadata'] as JsonObject)['finalizers'], ['kubernetes.io/pvc-protection']);
    const own = await create(claims, { metadata: { name: 'b' }, spec: { ...spec, storageClassName: '' } });
    assert.equal((own['spec'] as JsonObject)['storageClassName'], '');
  });
});

test('ingresses get the default class', async () => {
  const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
  await create('/apis/networking.k8s.io/v1/ingressclasses', {
    metadata: { name: 'front', annotations },
    spec: { controller: 'example.com/c' },
  });
  const spec = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };
  const ingresses = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
  const ingress = await create(ingresses, { metadata: { name: 'i' }, spec });
  assert.equal((ingress['spec'] as JsonObject)['ingressClassName'], 'front');
});
