import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';

const registration = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});

async function create(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await server.request('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** A policy for ConfigMaps and a binding of the same name. */
async function enforce(name: string, spec: JsonObject, binding: JsonObject = {}): Promise<void> {
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] },
  ];
  await create(`${registration}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules }, ...spec },
  });
  await create(`${registration}/validatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, validationActions: ['Deny'], ...binding },
  });
}

function configMap(name: string, data: JsonObject, labels: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data };
}

function post(data: JsonObject): Promise<WireAnswer> {
  return server.request('POST', configMaps, { body: configMap('x', data) });
}

const denial = (policy: string, message: string): string =>
  `configmaps "x" is forbidden: ValidatingAdmissionPolicy '${policy}' with binding '${policy}' denied request: ${message}`;

describe('a ValidatingAdmissionPolicy', () => {
  test('refuses what it forbids as soon as its binding is created, until either is deleted', async () => {
    await enforce('p', { validations: [{ expression: "object.data.a != 'b'" }] });
    const { status, body } = await post({ a: 'b' });
    assert.equal(status, 422);
    assert.equal(body['reason'], 'Invalid');
    assert.equal(body['message'], denial('p', "failed expression: object.data.a != 'b'"));
    const cause = denial('p', "failed expression: object.data.a != 'b'").replace('configmaps "x" is forbidden: ', '');
    assert.deepEqual((body['details'] as JsonObject)['causes'], [{ message: cause }]);
    await server.request('DELETE', `${registration}/validatingadmissionpolicybindings/p`);
    assert.equal((await post({ a: 'b' })).status, 201);
  });

  test('refuses with the reason and message of the first validation that is false', async () => {
    const variables = [
      { name: 'size', expression: 'object.data.a.size()' },
      { name: 'tooLong', expression: 'variables.size > 2' },
    ];
    await enforce('p', {
      variables,
      validations: [
        { expression: 'true' },
        {
          expression: '!variables.tooLong',
          message: 'unused',
          messageExpression: "'too long: ' + string(variables.size) + ' in ' + namespaceObject.metadata.name",
          reason: 'Forbidden',
        },
        { expression: 'false' },
      ],
    });
    const { status, body } = await post({ a: 'abcd' });
    assert.equal(status, 403);
    assert.equal(body['message'], denial('p', 'too long: 4 in default'));
  });

  test('refuses or admits by its failure policy if an expression fails', async () => {
    await enforce('closed', {
      matchConditions: [{ name: 'c', expression: 'has(object.data.a)' }],
      validations: [{ expression: 'object.data.b > 1' }],
    });
    await enforce('open', { failurePolicy: 'Ignore', validations: [{ expression: 'object.data.b > 1' }] });
    const error = "expression 'object.data.b > 1' resulted in error: no such key: b";
    assert.equal((await post({ a: '' })).body['message'], denial('closed', error));
    assert.equal((await post({ c: '' })).status, 201);
  });

  test('reads each parameter object that its binding selects', async () => {
    for (const [name, max] of [
      ['one', '5'],
      ['two', '3'],
    ] as const) {
      await create(configMaps, configMap(name, { max }, { role: 'limit' }));
    }
    const paramRef = { selector: { matchLabels: { role: 'limit' } }, parameterNotFoundAction: 'Deny' };
    await enforce(
      'p',
      {
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        validations: [
          {
            expression: 'object.data.a.size() <= int(params.data.max)',
            messageExpression: "'more than ' + params.data.max + ' of ' + params.metadata.name",
          },
        ],
      },
      { paramRef },
    );
    assert.equal((await post({ a: 'abcd' })).body['message'], denial('p', 'more than 3 of two'));
    assert.equal((await post({ a: 'abc' })).status, 201);
    await server.request('DELETE', `${configMaps}/one`);
    await server.request('DELETE', `${configMaps}/two`);
    assert.match((await post({ a: '' })).text, /no params found for policy binding with `Deny`/);
  });

  test('asks the authorizer about the caller', async () => {
    await enforce('p', {
      validations: [{ expression: "authorizer.requestResource.check('delete').allowed() || request.dryRun" }],
    });
    assert.equal((await post({})).status, 201);
  });

  test('warns instead of refusing, if its binding says so', async () => {
    await enforce(
      'p',
      { validations: [{ expression: 'false', message: 'no' }] },
      { validationActions: ['Warn', 'Audit'] },
    );
    const answer = await post({});
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.headers['warning'], [
      `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': no"`,
    ]);
  });

  test('does not apply to policies, so that it can be removed', async () => {
    const resourceRules = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }];
    await enforce('p', { matchConstraints: { resourceRules }, validations: [{ expression: 'false' }] });
    assert.equal((await post({})).status, 422);
    const { status } = await server.request('DELETE', `${registration}/validatingadmissionpolicies/p`);
    assert.equal(status, 200);
    assert.equal((await post({})).status, 201);
  });

  test('ends expressions that cost too much, and refuses', async () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, '']));
    await enforce('p', {
      validations: [
        { expression: 'object.data.all(a, object.data.all(b, object.data.all(c, a != b || b != c || true)))' },
      ],
    });
    assert.match((await post(data)).text, /operation cancelled: actual cost limit exceeded"/);
  });
});
