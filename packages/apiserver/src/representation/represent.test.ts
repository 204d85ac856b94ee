/** Compares with the answers of kube-apiserver v1.36 to the same requests. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const namespace = '/api/v1/namespaces/default';
const message =
  'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';

let server: TestServer;
before(async () => {
  server = await startTestServer();
  const metadata = { name: 'x' };
  const containers = [{ name: 'c', image: 'i' }];
  await server.request('POST', `${namespace}/serviceaccounts`, { body: { metadata } });
  await server.request('POST', `${namespace}/pods`, { body: { metadata, spec: { containers } } });
});

const refused: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'],
  ['POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews'],
  ['POST', '/apis/authentication.k8s.io/v1/tokenreviews'],
  ['POST', `${namespace}/serviceaccounts/x/token`],
  ['POST', `${namespace}/bindings`],
  ['POST', `${namespace}/pods/x/binding`],
  ['POST', `${namespace}/pods/x/eviction`],
  ['GET', `${namespace}/pods/x/resize`],
  ['GET', `${namespace}/pods/x/ephemeralcontainers`],
  ['GET', '/apis/apiregistration.k8s.io/v1/apiservices/v1./status'],
];

describe('a Table is refused for', () => {
  for (const [method, path] of refused) {
    test(`${method} ${path}`, async () => {
      const body: JsonObject = {};
      const answer = await server.request(method, path, { accept: table, ...(method === 'POST' && { body }) });
      assert.deepEqual([answer.status, answer.body['reason'], answer.body['message']], [406, 'NotAcceptable', message]);
    });
  }
});

test('a client that also accepts objects gets a review as an object', async () => {
  const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const { body } = await server.request('POST', path, { accept: `${table},application/json`, body: { spec } });
  assert.equal(body['kind'], 'SelfSubjectAccessReview');
});

test('the status of a pod is served as a Table', async () => {
  const { body } = await server.request('GET', `${namespace}/pods/x/status`, { accept: table });
  assert.equal(body['kind'], 'Table');
});
