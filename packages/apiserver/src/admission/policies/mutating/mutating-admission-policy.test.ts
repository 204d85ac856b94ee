import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});

async function create(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await server.request('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const apply = (expression: string): JsonObject => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): JsonObject => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

/** A policy for ConfigMaps and Deployments, and its binding. */
async function enforce(name: string, mutations: JsonObject[], spec: JsonObject = {}): Promise<void> {
  const resourceRules = [
    {
      apiGroups: ['', 'apps'],
      apiVersions: ['v1'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['configmaps', 'deployments'],
    },
  ];
  await create(`${registration}/mutatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules }, mutations, reinvocationPolicy: 'Never', ...spec },
  });
  await create(`${registration}/mutatingadmissionpolicybindings`, { metadata: { name }, spec: { policyName: name } });
}

const configMap = (data: JsonObject): JsonObject => ({ metadata: { name: 'x' }, data });

describe('a MutatingAdmissionPolicy', () => {
  test('merges what it applies into lists by their keys, and sets defaults in it', async () => {
    const containers = 'Object.spec.template.spec.containers';
    const spec = `Object.spec.template.spec{containers: [${containers}{name: 'side', image: 'busybox'}]}`;
    await enforce('p', [apply(`Object{spec: Object.spec{template: Object.spec.template{spec: ${spec}}}}`)]);
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'own', image: 'i' }] } };
    const written = await create(deployments, {
      metadata: { name: 'x' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    });
    const found = (written['spec'] as { template: { spec: { containers: JsonObject[] } } }).template.spec.containers;
    assert.deepEqual(
      found.map(({ name, image, imagePullPolicy }) => [name, image, imagePullPolicy]),
      [
        ['own', 'i', 'Always'],
        ['side', 'busybox', 'Always'],
      ],
    );
  });

  test('sees the changes of the mutations and policies before it', async () => {
    await enforce('a', [
      apply("Object{data: {'log': object.data.log + 'a'}}"),
      patch("[JSONPatch{op: 'add', path: '/data/log', value: object.data.log + 'b'}]"),
    ]);
    await enforce('b', [apply("Object{data: {'log': object.data.log + 'c'}}")]);
    assert.deepEqual((await create(configMaps, configMap({ log: '' })))['data'], { log: 'abc' });
  });

  test('runs once more if it asks for that and the object changed', async () => {
    await enforce('a', [apply("Object{data: {'log': object.data.log + 'a'}}")], { reinvocationPolicy: 'IfNeeded' });
    await enforce('b', [apply("Object{data: {'log': object.data.log + 'b'}}")]);
    assert.deepEqual((await create(configMaps, configMap({ log: '' })))['data'], { log: 'aba' });
  });

  test('refuses or admits by its failure policy if a mutation fails', async () => {
    const failing = [apply("Object{data: {'a': object.data.b}}"), apply('Object{nothing: 1}')];
    await enforce('open', failing, { failurePolicy: 'Ignore' });
    assert.deepEqual((await create(configMaps, configMap({ a: '' })))['data'], { a: '' });
    await enforce('closed', failing);
    const { status, body } = await server.request('POST', configMaps, { body: configMap({}) });
    assert.equal(status, 403);
    const prefix = "policy 'closed' with binding 'closed' denied request: ";
    const first = `${prefix}expression 'Object{data: {'a': object.data.b}}' resulted in error: no such key: data`;
    const second = `${prefix}error applying patch: failed to convert patch object to typed object: .nothing: field not declared in schema`;
    assert.deepEqual([body['message'], body['reason']], [first, 'Invalid']);
    assert.deepEqual((body['details'] as JsonObject)['causes'], [{ message: first }, { message: second }]);
  });

  test('cannot change part of what is owned as a whole', async () => {
    await enforce('p', [apply("Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'x': 'y'}}}}")]);
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'own', image: 'i' }] } };
    const body = { metadata: { name: 'x' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
    const { text } = await server.request('POST', deployments, { body });
    assert.match(text, /invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: \.spec\.selector/);
  });

  test('can make an object invalid, which is then refused', async () => {
    await enforce('p', [patch("[JSONPatch{op: 'add', path: '/metadata/labels', value: {'not valid!': 'x'}}]")]);
    const { status, text } = await server.request('POST', configMaps, { body: configMap({}) });
    assert.equal(status, 422, text);
    assert.match(text, /metadata\.labels: Invalid value/);
  });
});
