import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import type { WebhookCall } from '../../webhooks/webhook-call.ts';

/** The request and the answer of a webhook, without its uid. */
type Answer = (request: ReviewRequest, path: string) => JsonObject | Promise<JsonObject>;

interface ReviewRequest {
  readonly uid: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly kind: JsonObject;
  readonly resource: JsonObject;
  readonly subResource?: string;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
}

interface Hooks {
  readonly server: TestServer;
  /** `operation path name` of each call. */
  readonly calls: string[];
  readonly requests: ReviewRequest[];
}

async function startWith(answer: Answer): Promise<Hooks> {
  const calls: string[] = [];
  const requests: ReviewRequest[] = [];
  const server = await startTestServer({
    callWebhook: async ({ url, body }: WebhookCall) => {
      const { request } = JSON.parse(Buffer.from(body).toString()) as { request: ReviewRequest };
      calls.push(`${request.operation} ${url.pathname} ${request.name ?? ''}`);
      requests.push(request);
      const response = { uid: request.uid, ...(await answer(request, url.pathname)) };
      const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
      return { status: 200, contentType: 'application/json', body: Buffer.from(JSON.stringify(review)) };
    },
  });
  return { server, calls, requests };
}

const allowed = { allowed: true };

function patchOf(...operations: JsonObject[]): JsonObject {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch };
}

type Phase = 'Mutating' | 'Validating';

async function configure(
  { server }: Hooks,
  phase: Phase,
  name: string,
  rule: JsonObject,
  more: JsonObject = {},
): Promise<void> {
  const body = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${phase}WebhookConfiguration`,
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url: `https://hook.test/${name}` },
        rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'], ...rule }],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        ...more,
      },
    ],
  };
  const path = `/apis/admissionregistration.k8s.io/v1/${phase.toLowerCase()}webhookconfigurations`;
  const answer = await server.request('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
}

const configMaps = '/api/v1/namespaces/default/configmaps';

function configMap(name: string, data: Record<string, string> = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

describe('mutating webhooks', () => {
  test('run in the order of their configurations, and each sees the changes before it', async () => {
    const hooks = await startWith(({ object }, path) => {
      const data = (object as { data?: Record<string, string> }).data ?? {};
      return patchOf({ op: 'add', path: `/data/${path.slice(1)}`, value: Object.keys(data).join('+') });
    });
    await configure(hooks, 'Mutating', 'b', {});
    await configure(hooks, 'Mutating', 'a', {});
    const { body } = await hooks.server.request('POST', configMaps, { body: configMap('x', { own: '1' }) });
    assert.deepEqual(body['data'], { own: '1', a: 'own', b: 'a+own' });
  });

  test('are called again after a later change if they ask for it', async () => {
    const hooks = await startWith(({ object }, path) => {
      const data = (object as { data?: Record<string, string> }).data ?? {};
      if (path === '/a') return patchOf({ op: 'add', path: '/data/a', value: Object.keys(data).join('+') });
      return path === '/b' && data['b'] === undefined ? patchOf({ op: 'add', path: '/data/b', value: '1' }) : allowed;
    });
    await configure(hooks, 'Mutating', 'a', {}, { reinvocationPolicy: 'IfNeeded' });
    await configure(hooks, 'Mutating', 'b', {});
    const { body } = await hooks.server.request('POST', configMaps, { body: configMap('x', { own: '1' }) });
    assert.deepEqual(hooks.calls, ['CREATE /a x', 'CREATE /b x', 'CREATE /a x']);
    assert.deepEqual(body['data'], { own: '1', a: 'a+b+own', b: '1' });
  });

  test('may not change a deleted object', async () => {
    const hooks = await startWith(() => patchOf({ op: 'add', path: '/data', value: {} }));
    await hooks.server.request('POST', configMaps, { body: configMap('x') });
    await configure(hooks, 'Mutating', 'a', { operations: ['DELETE'] });
    const { status, body } = await hooks.server.request('DELETE', `${configMaps}/x`);
    assert.equal(status, 500);
    assert.match(body['message'] as string, /attempted to modify the object, which is not supported/);
  });

  test('get defaults and validation after their patch', async () => {
    const hooks = await startWith(() =>
      patchOf({ op: 'add', path: '/spec/template/spec/containers/0/ports', value: [{ containerPort: 80 }] }),
    );
    await configure(hooks, 'Mutating', 'a', { resources: ['deployments'] });
    const container = { name: 'c', image: 'i' };
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const { body, text } = await hooks.server.request('POST', path, { body: deployment });
    assert.match(text, /"ports":\[\{"containerPort":80,"protocol":"TCP"\}\]/);
    assert.equal(body['kind'], 'Deployment');
  });

  test('that damage managedFields are corrected with a warning', async () => {
    const hooks = await startWith(() =>
      patchOf({ op: 'replace', path: '/metadata/managedFields/0/operation', value: 'Nonsense' }),
    );
    await configure(hooks, 'Mutating', 'a', {});
    const { body, headers } = await hooks.server.request('POST', configMaps, { body: configMap('x', { a: '1' }) });
    assert.match(String(headers['warning']), /managedFields was in an invalid state after admission/);
    assert.deepEqual(
      (body['metadata'] as { managedFields: JsonObject[] }).managedFields.map(({ operation }) => operation),
      ['Update'],
    );
  });
});

describe('validating webhooks', () => {
  test('refuse with the status of their answer', async () => {
    const hooks = await startWith(() => ({
      allowed: false,
      status: { code: 403, reason: 'Forbidden', message: 'not today' },
    }));
    await configure(hooks, 'Validating', 'a', {});
    const { status, body } = await hooks.server.request('POST', configMaps, { body: configMap('x') });
    assert.equal(status, 403);
    assert.equal(body['message'], 'admission webhook "a.example.com" denied the request: not today');
    assert.equal((await hooks.server.request('GET', `${configMaps}/x`)).status, 404);
  });

  test('are called for each verb that writes, with the object as it will be stored', async () => {
    const hooks = await startWith(() => allowed);
    await configure(hooks, 'Validating', 'a', { resources: ['configmaps', 'deployments/scale', 'pods/*'] });
    const { server } = hooks;
    await server.request('POST', configMaps, { body: { ...configMap('x'), metadata: { generateName: 'x-' } } });
    await server.request('POST', configMaps, { body: configMap('y') });
    await server.request('PUT', `${configMaps}/y`, { body: configMap('y', { a: '1' }) });
    await server.request('PATCH', `${configMaps}/y`, {
      body: { data: { a: '2' } },
      type: 'application/merge-patch+json',
    });
    await server.request('PATCH', `${configMaps}/z?fieldManager=m`, {
      body: configMap('z'),
      type: 'application/apply-patch+yaml',
    });
    await server.request('DELETE', `${configMaps}/y`);
    await server.request('DELETE', configMaps);
    const [first, ...rest] = hooks.calls;
    assert.match(first ?? '', /^CREATE \/a x-.{5}$/);
    assert.deepEqual(rest.slice(0, 5), ['CREATE /a y', 'UPDATE /a y', 'UPDATE /a y', 'CREATE /a z', 'DELETE /a y']);
    assert.ok(rest.slice(5).every((call) => call === 'DELETE /a '));
    assert.equal(hooks.requests[1]?.options?.['kind'], 'CreateOptions');
    const stored = hooks.requests[1]?.object?.['metadata'] as JsonObject | undefined;
    assert.ok(stored?.['uid']);
  });

  test('are not called if a selector or a condition excludes the request', async () => {
    const hooks = await startWith(() => allowed);
    await configure(hooks, 'Validating', 'a', {}, { objectSelector: { matchLabels: { a: 'b' } } });
    await configure(
      hooks,
      'Validating',
      'b',
      {},
      { matchConditions: [{ name: 'n', expression: 'object.metadata.name == "y"' }] },
    );
    await hooks.server.request('POST', configMaps, { body: configMap('x') });
    assert.deepEqual(hooks.calls, []);
    await hooks.server.request('POST', configMaps, { body: configMap('y') });
    assert.deepEqual(hooks.calls, ['CREATE /b y']);
  });

  test('do not see the configurations themselves', async () => {
    const hooks = await startWith(() => ({ allowed: false }));
    await configure(hooks, 'Validating', 'a', { resources: ['*'] });
    await configure(hooks, 'Mutating', 'b', {});
    assert.deepEqual(hooks.calls, []);
  });

  test('with side effects refuse a dry run', async () => {
    const hooks = await startWith(() => allowed);
    await configure(hooks, 'Validating', 'a', {}, { sideEffects: 'NoneOnDryRun' });
    const { status } = await hooks.server.request('POST', `${configMaps}?dryRun=All`, { body: configMap('x') });
    assert.equal(status, 201);
    assert.equal(hooks.requests[0]?.dryRun, true);
  });
});

describe('a write that waited for a webhook', () => {
  /** Holds the first call until the test lets it go. */
  function holding(): { answer: Answer; called: Promise<void>; release: () => void } {
    const called = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const answer: Answer = async () => {
      called.resolve();
      await released.promise;
      return allowed;
    };
    return { answer, called: called.promise, release: () => released.resolve() };
  }

  for (const phase of ['Mutating', 'Validating'] as const) {
    test(`is refused if its namespace is deleted meanwhile (${phase})`, async () => {
      const hold = holding();
      const hooks = await startWith(hold.answer);
      const { server } = hooks;
      await server.request('POST', '/api/v1/namespaces', {
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } },
      });
      await configure(hooks, phase, 'a', {});
      const creating = server.request('POST', '/api/v1/namespaces/n/configmaps', { body: configMap('x') });
      await hold.called;
      await server.request('DELETE', '/api/v1/namespaces/n');
      hold.release();
      const { status, body } = await creating;
      assert.equal(status, 403);
      assert.match(body['message'] as string, /because it is being terminated/);
    });

    test(`is patched again if its object changed meanwhile (${phase})`, async () => {
      const hold = holding();
      const hooks = await startWith(hold.answer);
      const { server } = hooks;
      await server.request('POST', configMaps, { body: configMap('x') });
      await configure(
        hooks,
        phase,
        'a',
        {},
        { matchConditions: [{ name: 'n', expression: 'request.userInfo.username != "other"' }] },
      );
      const patching = server.request('PATCH', `${configMaps}/x`, {
        body: { data: { a: '1' } },
        type: 'application/merge-patch+json',
      });
      await hold.called;
      await server.request('PATCH', `${configMaps}/x`, {
        body: { data: { b: '1' } },
        type: 'application/merge-patch+json',
        user: { name: 'other', groups: ['system:masters'] },
      });
      hold.release();
      assert.deepEqual((await patching).body['data'], { a: '1', b: '1' });
    });
  }

  test('deletes the newest object', async () => {
    const hold = holding();
    const hooks = await startWith(hold.answer);
    const { server } = hooks;
    await server.request('POST', configMaps, { body: configMap('x') });
    await configure(hooks, 'Validating', 'a', { operations: ['DELETE'] });
    const deleting = server.request('DELETE', `${configMaps}/x`);
    await hold.called;
    await server.request('PUT', `${configMaps}/x`, { body: configMap('x', { a: '1' }) });
    hold.release();
    assert.equal((await deleting).status, 200);
    assert.deepEqual(hooks.calls, ['DELETE /a x', 'DELETE /a x']);
  });
});
