import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';

const pods = '/api/v1/namespaces/default/pods';
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';

let server: TestServer;

async function create(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await server.request('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function podSpec(name: string, fields: JsonObject = {}): Promise<JsonObject> {
  const spec = { containers: [{ name: 'c', image: 'i' }], ...fields };
  return (await create(pods, { metadata: { name }, spec }))['spec'] as JsonObject;
}

async function refusal(spec: JsonObject, annotations: JsonObject = {}): Promise<unknown> {
  const body = { metadata: { name: 'x', annotations }, spec: { containers: [{ name: 'c', image: 'i' }], ...spec } };
  const answer = await server.request('POST', pods, { body });
  assert.equal(answer.status, 403, answer.text);
  return answer.body['message'];
}

describe('a pod', () => {
  beforeEach(async () => {
    server = await startTestServer({ disabledAdmission: [] });
    await create(accounts, { metadata: { name: 'default' } });
  });

  test('runs as the default account and mounts a token, the CA certificate and its namespace', async () => {
    const own = [{ name: 'v', mountPath: tokenPath }];
    const spec = await podSpec('p', {
      initContainers: [{ name: 'i', image: 'i' }],
      containers: [
        { name: 'c', image: 'i', volumeMounts: own },
        { name: 'd', image: 'i' },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    });
    assert.deepEqual([spec['serviceAccountName'], spec['serviceAccount']], ['default', 'default']);
    const [, volume] = spec['volumes'] as JsonObject[];
    const name = volume?.['name'] as string;
    assert.match(name, /^kube-api-access-\w{5}$/);
    assert.deepEqual(volume, {
      name,
      projected: {
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
          { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
          {
            downwardAPI: {
              items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
            },
          },
        ],
        defaultMode: 420,
      },
    });
    const mount = { name, readOnly: true, mountPath: tokenPath };
    const mounts = (field: string): unknown[] =>
      (spec[field] as JsonObject[]).map(({ volumeMounts }) => volumeMounts ?? []);
    assert.deepEqual([mounts('initContainers'), mounts('containers')], [[[mount]], [own, [mount]]]);
  });

  test('gets no token if it or its account disables mounting; the pod overrides the account', async () => {
    assert.equal((await podSpec('without', { automountServiceAccountToken: false }))['volumes'], undefined);
    await create(accounts, { metadata: { name: 'shy' }, automountServiceAccountToken: false });
    assert.equal((await podSpec('shy', { serviceAccountName: 'shy' }))['volumes'], undefined);
    const spec = await podSpec('bold', { serviceAccountName: 'shy', automountServiceAccountToken: true });
    assert.equal((spec['volumes'] as unknown[]).length, 1);
  });

  test('pulls images with the secrets of its account, unless it has its own', async () => {
    await create(accounts, { metadata: { name: 'puller' }, imagePullSecrets: [{ name: 's' }] });
    assert.deepEqual((await podSpec('a', { serviceAccountName: 'puller' }))['imagePullSecrets'], [{ name: 's' }]);
    const own = [{ name: 'mine' }];
    const spec = await podSpec('b', { serviceAccountName: 'puller', imagePullSecrets: own });
    assert.deepEqual(spec['imagePullSecrets'], own);
  });

  test('cannot run as an account that does not exist', async () => {
    assert.equal(
      await refusal({ serviceAccountName: 'nope' }),
      'pods "x" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found',
    );
  });

  test('that mirrors a static one may refer to neither accounts nor secrets', async () => {
    const mirror = { 'kubernetes.io/config.mirror': 'x' };
    assert.equal(
      await refusal({ serviceAccountName: 'default' }, mirror),
      'pods "x" is forbidden: a mirror pod may not reference service accounts',
    );
    assert.equal(
      await refusal({ imagePullSecrets: [{ name: 's' }] }, mirror),
      'pods "x" is forbidden: a mirror pod may not reference secrets',
    );
    const sources = [{ serviceAccountToken: { path: 't' } }];
    assert.equal(
      await refusal({ volumes: [{ name: 'v', projected: { sources } }] }, mirror),
      'pods "x" is forbidden: a mirror pod may not use ServiceAccountToken volume projections',
    );
  });

  test('may refer only to the secrets of an account that enforces its list', async () => {
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    await create(accounts, { metadata: { name: 'strict', annotations }, secrets: [{ name: 'ok' }] });
    const env = [{ name: 'E', valueFrom: { secretKeyRef: { name: 'bad', key: 'k' } } }];
    const isNotAllowed = 'is not allowed because service account strict does not reference that secret';
    assert.equal(
      await refusal({ serviceAccountName: 'strict', containers: [{ name: 'c', image: 'i', env }] }),
      `pods "x" is forbidden: container c with envVar E referencing secret.secretName="bad" ${isNotAllowed}`,
    );
    assert.equal(
      await refusal({ serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName: 'bad' } }] }),
      `pods "x" is forbidden: volume with secret.secretName="bad" ${isNotAllowed}`,
    );
  });
});

describe('a pod in a namespace that has no default account yet', () => {
  const pod = { body: { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } } };

  beforeEach(async () => {
    server = await startTestServer({ disabledAdmission: [] });
  });

  test('waits until it exists', async () => {
    const answer = server.request('POST', pods, pod);
    await create(accounts, { metadata: { name: 'default' } });
    assert.equal((await answer).status, 201);
  });

  test('is refused after the maximum wait', async () => {
    const answer = server.request('POST', pods, pod);
    // The body is read first; then the request waits.
    await new Promise((resolve) => setImmediate(resolve));
    await server.clock.advance(2000);
    assert.equal(
      (await answer).body['message'],
      'pods "p" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    );
  });
});
