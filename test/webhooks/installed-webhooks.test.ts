/** Configurations of well-known admission webhooks, installed as YAML, with a receiver of ours behind their Services. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseYaml, type JsonObject, type KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';
import { allowed, denied, patched, startReceiver, type Decide, type Receiver } from './receiver.ts';

interface Installed {
  readonly server: TestServer;
  readonly receiver: Receiver;
}

const plurals: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'customresourcedefinitions',
  MutatingWebhookConfiguration: 'mutatingwebhookconfigurations',
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
};

/** Applies the documents of a file, and routes its Service to the receiver. */
async function install(file: string, host: string, decide: Decide): Promise<Installed> {
  const receiver = await startReceiver([host], decide);
  const server = await startTestServer({
    resolveService: ({ name, namespace, port }) => {
      assert.deepEqual([`${name}.${namespace}.svc`, port], [host, 443]);
      return { host: '127.0.0.1', port: receiver.port };
    },
  });
  const text = readFileSync(join(import.meta.dirname, file), 'utf8').replaceAll('CA_BUNDLE', receiver.caBundle);
  for (const document of text.split(/^---$/m)) {
    const { apiVersion, kind, metadata } = parseYaml(document).value as unknown as KubeObject;
    const path = `/apis/${apiVersion}/${plurals[kind]}/${metadata.name}?fieldManager=helm`;
    const answer = await server.request('PATCH', path, { body: document, type: 'application/apply-patch+yaml' });
    assert.equal(answer.status, 201, answer.text);
  }
  await server.settle();
  return { server, receiver };
}

async function createNamespace(server: TestServer, name: string, labels: JsonObject = {}): Promise<void> {
  const answer = await server.request('POST', '/api/v1/namespaces', { body: { metadata: { name, labels } } });
  assert.equal(answer.status, 201, answer.text);
}

async function stop({ server, receiver }: Installed): Promise<void> {
  await server.stop();
  await receiver.stop();
}

describe("cert-manager's webhooks", () => {
  let installed: Installed;
  let server: TestServer;
  let calls: () => string[];
  before(async () => {
    installed = await install('cert-manager.yaml', 'cert-manager-webhook.cert-manager.svc', (path, request) => {
      const { username, groups } = request.userInfo;
      if (path === '/mutate') {
        return patched(
          { op: 'add', path: '/spec/username', value: username },
          { op: 'add', path: '/spec/groups', value: [...groups] },
        );
      }
      const { dnsNames } = (request.object?.['spec'] ?? {}) as { dnsNames?: string[] };
      if (request.kind.version !== 'v1') return denied('only v1 is understood');
      return dnsNames?.length === 0 ? denied('spec.dnsNames: Invalid value: at least one name is needed') : allowed;
    });
    ({ server } = installed);
    calls = installed.receiver.takeCalls;
    await createNamespace(server, 'unchecked', { 'cert-manager.io/disable-validation': 'true' });
  });
  after(() => stop(installed));

  const kind = (name: string, version = 'v1'): JsonObject => ({ kind: name, apiVersion: `cert-manager.io/${version}` });
  const certificates = '/apis/cert-manager.io/v1/namespaces/default/certificates';

  test('record the user of a certificate request before it is checked', async () => {
    const { status, body } = await server.request(
      'POST',
      '/apis/cert-manager.io/v1/namespaces/default/certificaterequests',
      {
        body: {
          ...kind('CertificateRequest'),
          metadata: { name: 'r' },
          spec: { issuerRef: { name: 'i' }, request: 'eA==' },
        },
        user: { name: 'olga', groups: ['system:masters', 'operators'] },
      },
    );
    assert.equal(status, 201);
    const { username, groups } = body['spec'] as JsonObject;
    assert.deepEqual([username, groups], ['olga', ['system:masters', 'operators']]);
    assert.deepEqual(calls(), ['CREATE CertificateRequest /mutate', 'CREATE CertificateRequest /validate']);
  });

  test('refuse an invalid certificate, and its update', async () => {
    const invalid = { ...kind('Certificate'), metadata: { name: 'bad' }, spec: { secretName: 's', dnsNames: [] } };
    const { status, body } = await server.request('POST', certificates, { body: invalid });
    assert.equal(status, 400);
    assert.equal(
      body['message'],
      'admission webhook "webhook.cert-manager.io" denied the request: spec.dnsNames: Invalid value: at least one name is needed',
    );
    const valid = {
      ...kind('Certificate'),
      metadata: { name: 'good' },
      spec: { secretName: 's', dnsNames: ['a.example.com'] },
    };
    assert.equal((await server.request('POST', certificates, { body: valid })).status, 201);
    const update = await server.request('PATCH', `${certificates}/good`, {
      body: { spec: { dnsNames: [] } },
      type: 'application/merge-patch+json',
    });
    assert.equal(update.status, 400);
    calls();
  });

  test('see other versions as v1, and subresources too', async () => {
    const older = certificates.replace('/v1/', '/v1beta1/');
    const body = { ...kind('Certificate', 'v1beta1'), metadata: { name: 'older' }, spec: { secretName: 's' } };
    assert.equal((await server.request('POST', older, { body })).status, 201);
    const { status } = await server.request('PATCH', `${older}/older/status`, {
      body: { status: { revision: 1 } },
      type: 'application/merge-patch+json',
    });
    assert.equal(status, 200);
    assert.deepEqual(calls(), ['CREATE Certificate /validate', 'UPDATE Certificate/status /validate']);
  });

  test('leave out labelled namespaces, but nothing without a namespace', async () => {
    const unchecked = certificates.replace('default', 'unchecked');
    const invalid = { ...kind('Certificate'), metadata: { name: 'bad' }, spec: { dnsNames: [] } };
    assert.equal((await server.request('POST', unchecked, { body: invalid })).status, 201);
    const issuers = '/apis/cert-manager.io/v1/clusterissuers';
    assert.equal(
      (await server.request('POST', issuers, { body: { ...kind('ClusterIssuer'), metadata: { name: 'i' }, spec: {} } }))
        .status,
      201,
    );
    assert.deepEqual(calls(), ['CREATE ClusterIssuer /validate']);
  });
});

describe("Kyverno's webhooks", () => {
  let installed: Installed;
  let server: TestServer;
  let calls: () => string[];
  before(async () => {
    installed = await install('kyverno.yaml', 'kyverno-svc.kyverno.svc', (path, { object, operation }) => {
      const { metadata, spec } = (object ?? {}) as {
        metadata?: { labels?: JsonObject };
        spec?: { containers?: { image: string }[] };
      };
      if (path.endsWith('/ignore')) return undefined;
      if (path === '/mutate/fail' && metadata?.labels?.['team'] === undefined) {
        return patched({ op: 'add', path: '/metadata/labels', value: { team: 'none' } });
      }
      if (path === '/verifymutate') {
        return patched({ op: 'add', path: '/metadata/annotations', value: { 'kyverno.io/last-request-time': 'now' } });
      }
      if (operation === 'CONNECT') return denied('no shell in production');
      const isLatest = spec?.containers?.some(({ image }) => image.endsWith(':latest'));
      return path === '/validate/fail' && isLatest ? denied('policy disallow-latest-tag: no tag latest') : allowed;
    });
    ({ server } = installed);
    calls = installed.receiver.takeCalls;
  });
  after(() => stop(installed));

  const pods = '/api/v1/namespaces/default/pods';
  const createPod = (name: string, image: string, more: object = {}, path = pods): Promise<WireAnswer> =>
    server.request('POST', path, {
      body: { metadata: { name }, spec: { containers: [{ name: 'c', image }] } },
      ...more,
    });

  test('change and check a pod; one that fails open is called again after a change', async () => {
    const { status, body } = await createPod('web', 'nginx:1.29');
    assert.equal(status, 201);
    assert.deepEqual((body['metadata'] as JsonObject)['labels'], { team: 'none' });
    const all = calls();
    assert.deepEqual(all.slice(0, 3), [
      'CREATE Pod /mutate/ignore',
      'CREATE Pod /mutate/fail',
      'CREATE Pod /mutate/ignore',
    ]);
    // Validating webhooks are called at once.
    assert.deepEqual(all.slice(3).sort(), ['CREATE Pod /validate/fail', 'CREATE Pod /validate/ignore']);
  });

  test('refuse a pod, also in a dry run', async () => {
    for (const query of ['', '?dryRun=All']) {
      const { status, body } = await createPod('latest', 'nginx:latest', {}, `${pods}${query}`);
      assert.equal(status, 400);
      assert.match(
        body['message'] as string,
        /^admission webhook "validate.kyverno.svc-fail" denied the request: policy/,
      );
    }
    calls();
  });

  test('leave out namespaces, users by conditions, and other objects', async () => {
    await createNamespace(server, 'kyverno');
    for (const namespace of ['kube-system', 'kyverno']) {
      assert.equal((await createPod('p', 'nginx:latest', {}, pods.replace('default', namespace))).status, 201);
    }
    const user = { name: 'system:node:n', groups: ['system:nodes', 'system:masters'] };
    assert.equal((await createPod('static', 'nginx:latest', { user })).status, 201);
    const configMaps = '/api/v1/namespaces/default/configmaps';
    assert.equal((await server.request('POST', configMaps, { body: { metadata: { name: 'c' } } })).status, 201);
    assert.deepEqual(calls(), []);
  });

  test('see deletions and connections', async () => {
    const { body } = await server.request('POST', `${pods}/web/exec?command=sh`);
    assert.equal(
      body['message'],
      'admission webhook "validate.kyverno.svc-fail" denied the request: no shell in production',
    );
    await server.request('DELETE', `${pods}/web?gracePeriodSeconds=0`);
    assert.deepEqual(
      calls().filter((call) => call.endsWith('/fail')),
      ['CONNECT PodExecOptions/exec /validate/fail', 'DELETE Pod /validate/fail'],
    );
  });

  test('change only the leases that their selector matches', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    for (const [name, labels] of [
      ['kyverno', { 'app.kubernetes.io/name': 'kyverno' }],
      ['other', {}],
    ] as const) {
      await server.request('POST', leases, { body: { metadata: { name, labels } } });
      const { body } = await server.request('PATCH', `${leases}/${name}`, {
        body: { spec: { holderIdentity: 'x' } },
        type: 'application/merge-patch+json',
      });
      const { annotations } = body['metadata'] as { annotations?: JsonObject };
      assert.equal(annotations?.['kyverno.io/last-request-time'], name === 'kyverno' ? 'now' : undefined);
    }
    assert.deepEqual(calls(), ['UPDATE Lease /verifymutate']);
  });

  test('that fail closed refuse pods while nothing answers', async () => {
    await installed.receiver.stop();
    const { status, body } = await createPod('late', 'nginx:1.29');
    assert.equal(status, 500);
    assert.match(
      body['message'] as string,
      /^Internal error occurred: failed calling webhook "mutate.kyverno.svc-fail": failed to call webhook: Post "https:\/\/kyverno-svc.kyverno.svc:443\/mutate\/fail\?timeout=10s": dial tcp 127.0.0.1:\d+: connect: connection refused$/,
    );
  });
});
