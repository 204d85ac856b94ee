import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';

const pods = '/api/v1/namespaces/default/pods';
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const done = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});

async function makePod(name: string, spec: JsonObject = {}, status?: JsonObject): Promise<void> {
  const containers = [{ name: 'c', image: 'i' }];
  const body = { metadata: { name, labels: { app: 'x' } }, spec: { containers, ...spec } };
  const { status: code, text } = await server.request('POST', pods, { body });
  assert.equal(code, 201, text);
  if (status) await patchStatus(`${pods}/${name}`, status);
}

async function patchStatus(path: string, status: JsonObject): Promise<void> {
  const type = 'application/merge-patch+json';
  const answer = await server.request('PATCH', `${path}/status`, { body: { status }, type });
  assert.equal(answer.status, 200, answer.text);
}

async function pod(name: string): Promise<JsonObject & { metadata: JsonObject; spec: JsonObject; status: JsonObject }> {
  return (await server.request('GET', `${pods}/${name}`)).body as never;
}

describe('a binding', () => {
  function bind(name: string, target: JsonObject, metadata: JsonObject = {}, query = ''): Promise<WireAnswer> {
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name, ...metadata }, target };
    return server.request('POST', `${pods}/${name}/binding${query}`, { body });
  }

  test('assigns a pod to a node, with its annotations and labels', async () => {
    await makePod('a');
    const { status, body } = await bind('a', { kind: 'Node', name: 'n' }, { annotations: { by: 'me' } });
    assert.deepEqual([status, body], [201, done]);
    const { metadata, spec, status: podStatus } = await pod('a');
    assert.deepEqual([spec['nodeName'], metadata['annotations']], ['n', { by: 'me' }]);
    assert.partialDeepStrictEqual(podStatus['conditions'], [{ type: 'PodScheduled', status: 'True' }]);
  });

  test('is refused for a pod that has a node, or does not exist', async () => {
    await makePod('a', { nodeName: 'n' });
    const { status, body } = await bind('a', { name: 'm' });
    assert.equal(status, 409);
    assert.equal(
      body['message'],
      'Operation cannot be fulfilled on pods/binding "a": pod a is already assigned to node "n"',
    );
    assert.equal((await bind('none', { name: 'm' })).body['message'], 'pods "none" not found');
  });

  test('must name a node and the pod of its path', async () => {
    await makePod('a');
    assert.equal((await bind('a', {})).body['message'], 'target.name: Required value');
    assert.equal(
      (await bind('a', { name: 'n', kind: 'Pod' })).body['message'],
      'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    );
    assert.equal(
      (await bind('a', { name: 'n' }, { name: 'b' })).body['message'],
      'name in URL does not match name in Binding object',
    );
    assert.match((await bind('a', { name: 'n' }, { uid: 'other' })).text, /UID in precondition: other/);
  });

  test('changes nothing in a dry run', async () => {
    await makePod('a');
    assert.equal((await bind('a', { name: 'n' }, {}, '?dryRun=All')).status, 201);
    assert.equal((await pod('a')).spec['nodeName'], undefined);
  });

  test('may use the older path, where only its body names the pod', async () => {
    await makePod('a');
    const bindings = '/api/v1/namespaces/default/bindings';
    const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'a' }, target: { name: 'n' } };
    assert.equal((await server.request('POST', bindings, { body })).status, 201);
    assert.equal((await pod('a')).spec['nodeName'], 'n');
    assert.equal((await server.request('GET', `${bindings}/a`)).status, 404);
  });
});

describe('an eviction', () => {
  const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

  function evict(name: string, fields: JsonObject = {}, query = ''): Promise<WireAnswer> {
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...fields };
    return server.request('POST', `${pods}/${name}/eviction${query}`, { body });
  }

  async function makeBudget(name: string, status?: JsonObject): Promise<void> {
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'x' } } };
    await server.request('POST', budgets, { body: { metadata: { name }, spec } });
    if (status) await patchStatus(`${budgets}/${name}`, { observedGeneration: 1, expectedPods: 2, ...status });
  }

  test('without a budget is a delete with a DisruptionTarget condition', async () => {
    await makePod('a', { nodeName: 'n' }, running);
    const { status, body } = await evict('a', { deleteOptions: { gracePeriodSeconds: 5 } });
    assert.deepEqual([status, body], [201, done]);
    const { metadata, status: podStatus } = await pod('a');
    assert.equal(metadata['deletionGracePeriodSeconds'], 5);
    const conditions = podStatus['conditions'] as JsonObject[];
    assert.equal(conditions.find(({ type }) => type === 'DisruptionTarget')?.['reason'], 'EvictionByEvictionAPI');
  });

  test('is refused while the budget is exhausted, or not observed yet', async () => {
    await makePod('a', { nodeName: 'n' }, running);
    await makeBudget('b');
    const unobserved = await evict('a');
    assert.equal(unobserved.headers['retry-after'], '10');
    assert.match(unobserved.text, /The disruption budget b is still being processed by the server\./);
    await patchStatus(`${budgets}/b`, {
      observedGeneration: 1,
      disruptionsAllowed: 0,
      currentHealthy: 1,
      desiredHealthy: 1,
      expectedPods: 1,
    });
    const exhausted = await evict('a');
    assert.equal(exhausted.status, 429);
    assert.match(exhausted.text, /The disruption budget b needs 1 healthy pods and has 1 currently/);
    assert.equal((await pod('a')).metadata['deletionTimestamp'], undefined);
  });

  test('takes one disruption from the budget', async () => {
    await makePod('a', { nodeName: 'n' }, running);
    await makeBudget('b', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 });
    assert.equal((await evict('a', {}, '?dryRun=All')).status, 201);
    assert.equal((await evict('a')).status, 201);
    const { status } = (await server.request('GET', `${budgets}/b`)).body as { status: JsonObject };
    assert.equal(status['disruptionsAllowed'], 0);
    assert.deepEqual(Object.keys(status['disruptedPods'] as object), ['a']);
    assert.partialDeepStrictEqual(status['conditions'], [{ type: 'DisruptionAllowed', reason: 'InsufficientPods' }]);
  });

  test('of a pod that does not run, or is unready while enough others are ready, takes none', async () => {
    await makePod('pending', { nodeName: 'n' });
    await makePod('unready', { nodeName: 'n' }, { phase: 'Running' });
    await makeBudget('b', { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 });
    assert.equal((await evict('pending')).status, 201);
    assert.equal((await evict('unready')).status, 201);
  });

  test('is refused for a pod with two budgets', async () => {
    await makePod('a', { nodeName: 'n' }, running);
    await makeBudget('b');
    await makeBudget('c');
    const { status, body } = await evict('a');
    assert.equal(status, 500);
    assert.equal(
      body['message'],
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  });

  test('may use the older apiVersion, and must name the pod of its path', async () => {
    await makePod('a', { nodeName: 'n' });
    assert.equal((await evict('a', { metadata: { name: 'b' } })).status, 400);
    assert.equal((await evict('a', { apiVersion: 'policy/v1beta1' })).status, 201);
    assert.equal((await evict('none')).body['message'], 'pods "none" not found');
  });
});

test('component statuses report only the store as healthy', async () => {
  const names = async (query = ''): Promise<string[]> => {
    const { items } = (await server.request('GET', `/api/v1/componentstatuses${query}`)).body as unknown as {
      items: { metadata: { name: string }; conditions: { status: string }[] }[];
    };
    return items.map(({ metadata, conditions }) => `${metadata.name} ${conditions[0]?.status}`);
  };
  assert.deepEqual(await names(), ['controller-manager False', 'scheduler False', 'etcd-0 True']);
  assert.deepEqual(await names('?fieldSelector=metadata.name%3Detcd-0'), ['etcd-0 True']);
  const { body } = await server.request('GET', '/api/v1/componentstatuses/none');
  assert.equal(body['message'], 'componentstatus "none" not found');
  const watch = await server.request('GET', '/api/v1/componentstatuses?watch=1');
  assert.equal(watch.body['message'], 'watch is not supported on resources of kind "componentstatuses"');
});
