/** Compared with the answers of kube-apiserver v1.36. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { decodeProtobuf, encodeProtobuf } from '@flotilla/builtins';
import type { JsonObject, KubeObject, User } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';

const group = '/apis/authorization.k8s.io/v1';
const bob: User = { name: 'bob', groups: ['system:authenticated'] };

let server: TestServer;
before(async () => {
  server = await startTestServer();
});

function postReview(
  resource: string,
  spec: JsonObject,
  options: { user?: User; metadata?: JsonObject } = {},
): Promise<WireAnswer> {
  const { metadata, user } = options;
  const body = { ...(metadata && { metadata }), spec };
  return server.request('POST', `${group}/${resource}`, { body, ...(user && { user }) });
}

async function refusalOf(resource: string, spec: JsonObject, metadata?: JsonObject): Promise<string[]> {
  const { status, body } = await postReview(resource, spec, metadata && { metadata });
  assert.equal(status, 422);
  const { details } = body as { details: { causes: { field: string; message: string }[] } & JsonObject };
  assert.equal(details['kind'], undefined);
  assert.match(body['message'] as string, /^\.authorization\.k8s\.io "" is invalid: /);
  return details.causes.map(({ field, message }) => `${field}: ${message}`);
}

const listPods = { verb: 'list', resource: 'pods' };

describe('an access review', () => {
  test('returns whether access is allowed, and the reason if it is', async () => {
    const path = { nonResourceAttributes: { path: '/api', verb: 'get' } };
    const yes = await postReview('subjectaccessreviews', { ...path, user: 'bob', groups: ['system:authenticated'] });
    assert.equal(yes.status, 201);
    const reason =
      'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"';
    assert.deepEqual(yes.body['status'], { allowed: true, reason });
    const no = await postReview('subjectaccessreviews', { ...path, user: 'bob' });
    assert.deepEqual(no.body['status'], { allowed: false });
    assert.deepEqual((no.body['spec'] as JsonObject)['user'], 'bob');
  });

  test('of the self subject is about the caller', async () => {
    const spec = { resourceAttributes: listPods };
    const statusFor = async (user?: User) =>
      (await postReview('selfsubjectaccessreviews', spec, user && { user })).body['status'];
    assert.deepEqual(await statusFor(bob), { allowed: false });
    assert.deepEqual(await statusFor(), { allowed: true });
  });

  test('has managedFields, and is not stored', async () => {
    const { body, text } = await postReview('selfsubjectaccessreviews', { resourceAttributes: listPods });
    const { metadata } = body as unknown as KubeObject;
    assert.deepEqual(Object.keys(metadata), ['managedFields']);
    assert.match(
      text,
      /"fieldsV1":\{"f:spec":\{"f:resourceAttributes":\{"\.":\{\},"f:resource":\{\},"f:verb":\{\}\}\}\}/,
    );
    assert.equal((await server.request('GET', `${group}/selfsubjectaccessreviews`)).status, 405);
    assert.equal((await server.request('GET', `${group}/selfsubjectaccessreviews/x`)).status, 404);
  });

  test('in a namespace applies to that namespace, whether or not it exists', async () => {
    const at = 'namespaces/nowhere/localsubjectaccessreviews';
    const answer = await postReview(at, { user: 'bob', resourceAttributes: { ...listPods, namespace: 'nowhere' } });
    assert.equal(answer.status, 201);
    assert.deepEqual(await refusalOf(at, { user: 'bob', resourceAttributes: listPods }), [
      'spec.resourceAttributes.namespace: Invalid value: "": must match metadata.namespace',
    ]);
    const paths = { user: 'bob', nonResourceAttributes: { path: 'pods', verb: 'get' } };
    const [first, second] = await refusalOf(at, paths, { name: 'q' });
    assert.match(
      first ?? '',
      /^metadata: Invalid value: \{"name":"q","namespace":"nowhere","managedFields".*: must be empty except for namespace$/,
    );
    assert.equal(
      second,
      'spec.nonResourceAttributes: Invalid value: {"Path":"pods","Verb":"get"}: disallowed on this kind of request',
    );
  });

  test('must have exactly one kind of attributes', async () => {
    assert.deepEqual(await refusalOf('selfsubjectaccessreviews', {}, { name: 'x' }), [
      'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      'metadata: Invalid value: {"name":"x"}: must be empty',
    ]);
    const both = { resourceAttributes: listPods, nonResourceAttributes: { path: '/x', verb: 'get' } };
    assert.deepEqual(await refusalOf('subjectaccessreviews', both), [
      'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: cannot be specified in combination with resourceAttributes',
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ]);
  });

  test('ignores selectors that cannot be parsed, and refuses invalid ones', async () => {
    const statusOf = async (selectors: JsonObject) =>
      (
        await postReview(
          'selfsubjectaccessreviews',
          { resourceAttributes: { ...listPods, ...selectors } },
          { user: bob },
        )
      ).body['status'];
    const unknown = { key: 'a', operator: 'Foo', values: ['x'] };
    const known = { key: 'a', operator: 'In', values: ['x'] };
    assert.deepEqual(
      await statusOf({ labelSelector: { requirements: [unknown] }, fieldSelector: { rawSelector: 'a' } }),
      {
        allowed: false,
        evaluationError:
          'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector ignored due to parse error',
      },
    );
    assert.deepEqual(await statusOf({ fieldSelector: { requirements: [unknown, known] } }), {
      allowed: false,
      evaluationError: 'spec.resourceAttributes.fieldSelector partially ignored due to parse error',
    });
    assert.deepEqual(
      await statusOf({ labelSelector: { requirements: [known] }, fieldSelector: { rawSelector: 'a=b' } }),
      {
        allowed: false,
      },
    );
    const path = 'spec.resourceAttributes';
    const fieldSelector = {
      rawSelector: 'a=b',
      requirements: [{ operator: 'In' }, { key: 'x', operator: 'Exists', values: ['a'] }],
    };
    const labelSelector = { requirements: [{ key: '!', operator: 'In', values: [' '] }] };
    const refused = await refusalOf('selfsubjectaccessreviews', {
      resourceAttributes: { ...listPods, fieldSelector, labelSelector },
    });
    assert.deepEqual(refused.slice(0, 4), [
      `${path}.fieldSelector.rawSelector: Invalid value: "a=b": may not specified at the same time as requirements`,
      `${path}.fieldSelector.requirements[0].key: Required value: must be specified`,
      `${path}.fieldSelector.requirements[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
      `${path}.fieldSelector.requirements[1].values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
    ]);
    assert.match(
      refused[4] ?? '',
      /^spec\.resourceAttributes\.labelSelector\.requirements\[0\]\.key: Invalid value: "!"/,
    );
    assert.match(refused[5] ?? '', /^spec\.resourceAttributes\.labelSelector\.requirements\[0\]\.values\[0\]: Invalid/);
    const empty = await refusalOf('selfsubjectaccessreviews', {
      resourceAttributes: { ...listPods, labelSelector: {} },
    });
    assert.deepEqual(empty, [
      `${path}.labelSelector.requirements: Required value: when ${path}.labelSelector is specified, requirements or rawSelector is required`,
    ]);
  });

  test('can be sent and returned in protobuf', async () => {
    const review = {
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: { user: 'bob', resourceAttributes: { verb: 'get', resource: 'pods' } },
      status: { allowed: false },
    };
    const type = 'application/vnd.kubernetes.protobuf';
    const response = await server.send('POST', `${group}/subjectaccessreviews`, {
      body: encodeProtobuf(review),
      type,
      accept: type,
    });
    assert.equal(response.status, 201);
    const { object } = decodeProtobuf(response.body as Uint8Array);
    assert.deepEqual(object['status'], { allowed: false });
    assert.deepEqual(object['spec'], review.spec);
  });
});

describe('a rules review', () => {
  test('lists the rules of the caller', async () => {
    const { status, body } = await postReview('selfsubjectrulesreviews', { namespace: 'default' }, { user: bob });
    assert.equal(status, 201);
    assert.deepEqual([body['metadata'], body['spec']], [{}, {}]);
    const health = ['/healthz', '/livez', '/readyz', '/version', '/version/'];
    const documents = [
      '/api',
      '/api/*',
      '/apis',
      '/apis/*',
      '/healthz',
      '/livez',
      '/openapi',
      '/openapi/*',
      '/readyz',
      '/version',
      '/version/',
    ];
    assert.deepEqual(body['status'], {
      resourceRules: [
        {
          verbs: ['create'],
          apiGroups: ['authorization.k8s.io'],
          resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
        },
        { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
      ],
      nonResourceRules: [
        { verbs: ['get'], nonResourceURLs: documents },
        { verbs: ['get'], nonResourceURLs: health },
      ],
      incomplete: false,
    });
  });

  test('must have a namespace', async () => {
    const { status, body } = await postReview('selfsubjectrulesreviews', {});
    assert.deepEqual([status, body['message']], [400, 'no namespace on request']);
  });

  test('reports missing roles', async () => {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'lost' };
    const body = { metadata: { name: 'lost' }, roleRef, subjects: [{ kind: 'User', name: 'eve' }] };
    await server.request('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', { body });
    const eve = { name: 'eve', groups: ['system:authenticated'] };
    const answer = await postReview('selfsubjectrulesreviews', { namespace: 'default' }, { user: eve });
    const { evaluationError } = answer.body['status'] as { evaluationError: string };
    assert.equal(evaluationError, 'role.rbac.authorization.k8s.io "lost" not found');
  });
});
