import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { CountingThread } from '../../heavy/counting-thread.testing.ts';
import { costInMainThread } from '../../resources/cost-allowance.ts';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

/** Costs more than the main thread allows, and less than Kubernetes does. Twice as many keys are too many for both. */
const pairs = 'all(a, object.data.all(b, object.data.all(c, a != "" || b != "" || c != "")))';
const keys = 25;
assert.ok(keys ** 3 * 3 > costInMainThread);

const data = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 'v']));

describe('a policy whose expressions cost too much for the thread that serves all requests', () => {
  const thread = new CountingThread();
  after(() => thread.stop());
  beforeEach(() => (thread.jobs = []));

  async function serverWith(
    kind: 'validating' | 'mutating',
    operation: string,
    rules: JsonObject,
  ): Promise<TestServer> {
    const server = await startTestServer({ heavyThread: thread });
    const resourceRules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: [operation], resources: ['configmaps'] },
    ];
    const reinvoked = kind === 'mutating' && { reinvocationPolicy: 'Never' };
    const spec = { matchConstraints: { resourceRules }, ...reinvoked, ...rules };
    const bound = { policyName: 'p', ...(kind === 'validating' && { validationActions: ['Deny'] }) };
    for (const [plural, body] of [
      ['policies', spec],
      ['policybindings', bound],
    ] as const) {
      const path = `${registration}/${kind}admission${plural}`;
      const { status, text } = await server.request('POST', path, { body: { metadata: { name: 'p' }, spec: body } });
      assert.equal(status, 201, text);
    }
    return server;
  }

  const create = (server: TestServer, name: string, count: number) =>
    server.request('POST', configMaps, { body: { metadata: { name }, data: data(count) } });

  test('is evaluated in the worker, with the limits of Kubernetes', async () => {
    const server = await serverWith('validating', 'CREATE', { validations: [{ expression: `object.data.${pairs}` }] });
    assert.equal((await create(server, 'cheap', 3)).status, 201);
    assert.deepEqual(thread.jobs, []);
    assert.equal((await create(server, 'costly', keys)).status, 201);
    assert.deepEqual(thread.jobs, ['POST']);
    const { status, text } = await create(server, 'excessive', keys * 4);
    assert.equal(status, 422);
    assert.match(text, /resulted in error: operation cancelled: actual cost limit exceeded/);
  });

  test('counts its variables and match conditions', async () => {
    const costly = `object.data.${pairs}`;
    const server = await serverWith('validating', 'CREATE', {
      matchConditions: [{ name: 'c', expression: costly }],
      variables: [{ name: 'v', expression: `!(${costly})` }],
      validations: [{ expression: 'variables.v', message: 'evaluated' }],
    });
    assert.match((await create(server, 'a', keys)).text, /denied request: evaluated/);
    assert.deepEqual(thread.jobs, ['POST']);
  });

  test('changes the object there', async () => {
    const expression = `Object{data: {'all': string(object.data.${pairs})}}`;
    const server = await serverWith('mutating', 'CREATE', {
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    });
    const { body } = await create(server, 'a', keys);
    assert.equal((body['data'] as JsonObject)['all'], 'true');
    assert.deepEqual(thread.jobs, ['POST']);
  });

  test('decides there on each object of a collection that is deleted', async () => {
    const expression = `oldObject.data.${pairs.replaceAll('object', 'oldObject')}`;
    const server = await serverWith('validating', 'DELETE', { validations: [{ expression }] });
    for (const [name, count] of [
      ['a', keys],
      ['b', 1],
      ['c', keys],
    ] as const) {
      assert.equal((await create(server, name, count)).status, 201);
    }
    assert.equal((await server.request('DELETE', configMaps)).status, 200);
    assert.deepEqual(thread.jobs, ['delete', 'delete']);
  });

  test('is no rejection in the metrics', async () => {
    const server = await serverWith('validating', 'CREATE', { validations: [{ expression: `object.data.${pairs}` }] });
    await create(server, 'costly', keys);
    const { text } = await server.request('GET', '/metrics');
    assert.doesNotMatch(text, /apiserver_admission_\w+\{[^}]*rejected="true"/);
  });
});
