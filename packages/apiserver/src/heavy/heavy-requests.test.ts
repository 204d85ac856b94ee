import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { encodeProtobuf } from '@flotilla/builtins';
import { administrator, silentLogger, type JsonObject, type User } from '@flotilla/kube';
import { startTestServer, type TestServer, type WireAnswer } from '@flotilla/testkit';
import type { Admission } from '../admission/admission.ts';
import { define, scalable, v1, widgets } from '../custom/widgets.testing.ts';
import { StoreConflict, type Key } from '../store/store.ts';
import { HeavyThread, type HeavyJob } from './heavy-thread.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const services = '/api/v1/namespaces/default/services';
const widgetPath = '/apis/example.com/v1/namespaces/default/widgets';
const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

type Step = readonly [method: string, path: string, options?: Parameters<TestServer['request']>[2]];

const settings = { metadata: { name: 'settings' }, data: { color: 'red' } };
const settingsText = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', ...settings });
const stranger: User = { name: 'stranger', groups: ['system:authenticated'] };

/** Requests of every kind that reads or writes one object. */
const steps: readonly Step[] = [
  ['POST', configMaps, { body: settings }],
  ['POST', configMaps, { body: settings }],
  ['POST', `${configMaps}?dryRun=All`, { body: { metadata: { generateName: 'made-' } } }],
  ['POST', configMaps, { body: { metadata: { name: 'Not A Name' } } }],
  ['POST', configMaps, { body: '{"metadata":' }],
  ['POST', `${configMaps}?fieldValidation=Warn`, { body: { metadata: { name: 'warned' }, extra: 1 } }],
  ['POST', configMaps, { body: 'metadata:\n  name: from-yaml\n', type: 'application/yaml' }],
  [
    'POST',
    configMaps,
    {
      body: encodeProtobuf({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'from-protobuf' } }),
      type: 'application/vnd.kubernetes.protobuf',
    },
  ],
  ['PUT', `${configMaps}/settings`, { body: { ...settings, data: { color: 'blue' } } }],
  ['PUT', `${configMaps}/settings`, { body: { metadata: { name: 'settings', resourceVersion: '1' } } }],
  ['PATCH', `${configMaps}/settings`, { body: { data: { size: '1' } }, type: merge }],
  ['PATCH', `${configMaps}/missing`, { body: { data: { size: '1' } }, type: merge }],
  ['PATCH', `${configMaps}/settings?fieldManager=a`, { body: settingsText, type: apply }],
  ['PATCH', `${configMaps}/settings?fieldManager=a&force=true`, { body: settingsText, type: apply }],
  ['PATCH', `${configMaps}/applied?fieldManager=a`, { body: settingsText.replace('settings', 'applied'), type: apply }],
  ['GET', `${configMaps}/settings`, { accept: 'application/yaml' }],
  ['GET', `${configMaps}/settings`, { accept: 'application/vnd.kubernetes.protobuf' }],
  ['GET', `${configMaps}/settings`, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }],
  ['GET', `${configMaps}/settings?pretty=true`],
  ['DELETE', `${configMaps}/settings`, { body: { preconditions: { uid: 'other' } } }],
  ['DELETE', `${configMaps}/settings`],
  ['DELETE', `${configMaps}/settings`],
  ['GET', configMaps, { accept: 'application/yaml' }],
  ['GET', configMaps, { accept: 'application/vnd.kubernetes.protobuf' }],
  ['GET', configMaps, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }],
  ['GET', `${configMaps}?pretty=true`],
  ['DELETE', `${configMaps}?labelSelector=color%3Dred`],
  ['DELETE', configMaps, { body: { propagationPolicy: 'Foreground' } }],
  ['GET', configMaps],
  ['POST', services, { body: { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } } }],
  ['POST', services, { body: { metadata: { name: 'taken' }, spec: { clusterIP: '10.0.0.1', ports: [{ port: 80 }] } } }],
  ['PATCH', `${services}/web`, { body: { spec: { type: 'NodePort' } }, type: merge }],
  ['PATCH', `${services}/web`, { body: { spec: { ports: [{ port: 81, nodePort: 1 }] } }, type: merge }],
  ['PATCH', `${services}/web`, { body: { spec: { type: 'ClusterIP' } }, type: merge }],
  ['PATCH', `${services}/web`, { body: { spec: { type: 'ExternalName', externalName: 'example.com' } }, type: merge }],
  ['DELETE', `${services}/web`],
  [
    'POST',
    widgetPath,
    { body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 2 } } },
  ],
  [
    'POST',
    widgetPath,
    { body: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' }, spec: { size: 'a' } } },
  ],
  ['PATCH', `${widgetPath}/w/scale`, { body: { spec: { replicas: 3 } }, type: merge }],
  ['GET', `${widgetPath}/w/scale`],
  ['GET', `${widgetPath}/w`, { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' }],
  [
    'POST',
    '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    { body: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } }, user: stranger },
  ],
  [
    'POST',
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    {
      body: {
        metadata: { name: 'readers' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'group-2400' }],
      },
    },
  ],
  ...[2400, 2401].map((count): Step => {
    const groups = Array.from({ length: count }, (_, index) => `group-${index}`);
    const resourceAttributes = { verb: 'get', resource: 'pods' };
    return [
      'POST',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      { body: { spec: { user: 'someone', groups, resourceAttributes } } },
    ];
  }),
  ['POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: 'robot' } } }],
  ['POST', '/apis/authentication.k8s.io/v1/tokenreviews', { body: { spec: { token: 'unknown' } } }],
  [
    'POST',
    clusterRoles,
    { body: { metadata: { name: 'all' }, rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] } },
  ],
];

async function play(server: TestServer): Promise<unknown[]> {
  await define(server, widgets({ versions: [v1(scalable)] }));
  const answers: Pick<WireAnswer, 'status' | 'headers' | 'text'>[] = [];
  for (const [method, path, options] of steps) {
    const { status, headers, text } = await server.request(method, path, options);
    answers.push({ status, headers, text });
  }
  return answers;
}

/** The events of a watch for an object that is created, changes, and leaves the selector. */
async function watchedEvents(server: TestServer, accept: string): Promise<unknown[]> {
  const labels = (color: string): JsonObject => ({ body: { metadata: { labels: { color } } }, type: merge });
  await server.request('POST', configMaps, { body: { metadata: { name: 'a', labels: { color: 'red' } } } });
  const query = 'watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan';
  const watch = await server.watch(`${configMaps}?labelSelector=color%3Dred&${query}`, { accept });
  await server.request('PATCH', `${configMaps}/a`, { body: { data: { size: '1' } }, type: merge });
  await server.request('PATCH', `${configMaps}/a`, labels('blue'));
  for (;;) {
    const events = await watch.events();
    if (events.length >= 4) return events;
    await nextTurn();
  }
}

describe('a server that has a thread for heavy requests', () => {
  // Runs all requests in the worker.
  const everything = new HeavyThread({ heavyBytes: -1 });
  after(() => everything.stop());

  test('answers each request as a server without one', async () => {
    const [here, there] = await Promise.all([startTestServer(), startTestServer({ heavyThread: everything })]);
    const run = test.mock.method(everything, 'run');
    assert.deepEqual(await play(there), await play(here));
    assert.ok(run.mock.callCount() >= steps.length, 'the requests did not run in the thread');
  });

  for (const accept of [
    'application/json;as=Table;g=meta.k8s.io;v=v1',
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  ]) {
    test(`sends the same events as ${accept}`, async () => {
      const servers = await Promise.all([startTestServer(), startTestServer({ heavyThread: everything })]);
      const [here, there] = await Promise.all(servers.map((server) => watchedEvents(server, accept)));
      assert.deepEqual(there, here);
      assert.equal(here?.length, 4);
    });
  }

  test('loses no concurrent write of the main thread', async () => {
    const server = await startTestServer({ heavyThread: everything });
    await server.request('POST', configMaps, { body: { metadata: { name: 'shared' } } });
    const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    const patches = keys.map((key, index) => {
      // Every second patch is applied by the main thread itself.
      const { heavy } = server.api.parts;
      const isHeavy = test.mock.method(heavy!, 'isHeavy', () => index % 2 === 0);
      const patching = server.request('PATCH', `${configMaps}/shared`, { body: { data: { [key]: '1' } }, type: merge });
      return patching.finally(() => isHeavy.mock.restore());
    });
    const answers = await Promise.all(patches);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    const { body } = await server.request('GET', `${configMaps}/shared`);
    assert.deepEqual(Object.keys(body['data'] as JsonObject).sort(), keys.toSorted());
  });

  test('creates no object of a definition that is deleted while the request waits', async () => {
    const server = await startTestServer({ heavyThread: everything });
    await define(server, widgets({ versions: [v1(scalable)] }));
    const run = (work: HeavyJob): ReturnType<HeavyThread['run']> => everything.run(work);
    const waiting = test.mock.method(everything, 'run', async (work: HeavyJob) => {
      waiting.mock.restore();
      await server.request('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com');
      while ((await server.request('GET', widgetPath)).status === 200) {
        await server.clock.advance(10_000);
        await nextTurn();
      }
      return run(work);
    });
    const body = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'late' } };
    const { status } = await server.request('POST', widgetPath, { body });
    assert.equal(status, 404);
    assert.equal(server.store.count('example.com/widgets'), 0);
  });

  test('creates nothing in a namespace that is deleted after admission', async () => {
    const server = await startTestServer({ heavyThread: everything });
    const newest = server.store.newest.bind(server.store);
    let isAdmitted = false;
    test.mock.method(server.store, 'newest', (key: Key) => {
      const isDefaultNamespace = key.collection === 'namespaces' && key.name === 'default';
      if (isDefaultNamespace && isAdmitted) return undefined;
      isAdmitted ||= isDefaultNamespace;
      return newest(key);
    });
    const { status, text } = await server.request('POST', configMaps, { body: { metadata: { name: 'late' } } });
    assert.equal(status, 404);
    assert.match(text, /namespaces \\"default\\" not found/);
    assert.equal(server.store.count('configmaps', 'default/late'), 0);
  });

  test('refuses a role that grants more than its author has', async () => {
    const server = await startTestServer({ heavyThread: everything });
    const rules = (verbs: string[]): JsonObject[] => [
      { verbs, apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] },
    ];
    const admin = { metadata: { name: 'author' }, rules: rules(['create']) };
    await server.request('POST', clusterRoles, { body: admin });
    await server.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      body: {
        metadata: { name: 'author' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'author' },
        subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: stranger.name }],
      },
    });
    const body = { metadata: { name: 'more' }, rules: rules(['create', 'delete']) };
    const { status, text } = await server.request('POST', clusterRoles, { body, user: stranger });
    assert.equal(status, 403);
    assert.match(text, /attempting to grant RBAC permissions not currently held/);
  });

  test('obeys a policy that was created after an earlier request', async () => {
    const server = await startTestServer({ heavyThread: everything });
    const path = `${configMaps}/settings`;
    await server.request('POST', configMaps, { body: settings });
    const patch = { body: { data: { color: 'green' } }, type: merge };
    assert.equal((await server.request('PATCH', path, patch)).status, 200);
    const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
    const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['configmaps'] }];
    const validations = [{ expression: "object.data.color != 'green'" }];
    const spec = { matchConstraints: { resourceRules }, validations };
    await server.request('POST', policies, { body: { metadata: { name: 'no-green' }, spec } });
    await server.request('POST', policies.replace('policies', 'policybindings'), {
      body: { metadata: { name: 'no-green' }, spec: { policyName: 'no-green', validationActions: ['Deny'] } },
    });
    assert.equal((await server.request('PATCH', path, patch)).status, 422);
  });

  test('waits for the main thread three times for a write', async () => {
    const calls: PropertyKey[] = [];
    class CountingCalls extends HeavyThread {
      override add(functionsOf: Parameters<HeavyThread['add']>[0]): number {
        return super.add((notices) => {
          const functions = functionsOf(notices);
          return new Proxy(functions, {
            get: (_, name) => {
              calls.push(name);
              return functions[name as keyof typeof functions];
            },
          });
        });
      }
    }
    const thread = new CountingCalls({ heavyBytes: 0 });
    try {
      const server = await startTestServer({ heavyThread: thread });
      await server.request('POST', configMaps, { body: settings });
      const patch = (color: string) => ({ body: { data: { color } }, type: merge });
      await server.request('PATCH', `${configMaps}/settings`, patch('green'));
      calls.length = 0;
      await server.request('PATCH', `${configMaps}/settings`, patch('blue'));
      const waited = calls.filter((name) => name !== 'pluginsRan');
      assert.deepEqual(waited, ['newest', 'now', 'accept']);
      assert.ok(waited.length < calls.length, 'the plugins are not counted');
    } finally {
      await thread.stop();
    }
  });

  test('runs requests itself if the thread lacks an admission plugin', async () => {
    const seen: string[] = [];
    const plugin: Admission = { name: 'Local', validate: ({ name }) => void seen.push(name) };
    const server = await startTestServer({ heavyThread: everything, admission: [plugin] });
    await server.request('POST', configMaps, { body: { metadata: { name: 'here' } } });
    assert.ok(seen.includes('here'));
  });
});

const sized = (name: string, bytes: number): JsonObject => ({ metadata: { name }, data: { text: 'x'.repeat(bytes) } });

describe('the weight of a request', () => {
  const thread = new HeavyThread({ heavyBytes: 2000 });
  let server: TestServer;
  let ran: () => number;
  before(async () => {
    server = await startTestServer({ heavyThread: thread });
    const run = test.mock.method(thread, 'run');
    ran = () => {
      const count = run.mock.callCount();
      run.mock.resetCalls();
      return count;
    };
  });
  after(() => thread.stop());

  const sized = (name: string, bytes: number): JsonObject => ({
    metadata: { name },
    data: { text: 'x'.repeat(bytes) },
  });

  test('includes its body', async () => {
    await server.request('POST', configMaps, { body: sized('light', 100) });
    assert.equal(ran(), 0);
    await server.request('POST', configMaps, { body: sized('heavy', 3000) });
    assert.equal(ran(), 1);
  });

  test('includes the object that it changes', async () => {
    await server.request('PATCH', `${configMaps}/heavy`, { body: { data: { a: 'b' } }, type: merge });
    assert.equal(ran(), 1);
    await server.request('PATCH', `${configMaps}/light`, { body: { data: { a: 'b' } }, type: merge });
    assert.equal(ran(), 0);
  });

  test('includes the object as it is when the whole body is received', async () => {
    await server.request('POST', configMaps, { body: sized('growing', 100) });
    const patch = Buffer.from('{"data":{"a":"b"}}');
    let arrive: (bytes: Uint8Array) => void = () => undefined;
    const body = new Promise<Uint8Array>((resolve) => {
      arrive = resolve;
    });
    const patching = server.api.handle({
      method: 'PATCH',
      path: `${configMaps}/growing`,
      query: '',
      headers: { 'content-type': merge, 'content-length': String(patch.length) },
      user: administrator,
      body: () => body,
      signal: new AbortController().signal,
    });
    await server.request('PATCH', `${configMaps}/growing`, { body: sized('growing', 3000), type: merge });
    ran();
    arrive(patch);
    assert.equal((await patching).status, 200);
    assert.equal(ran(), 1);
    const { body: grown } = await server.request('GET', `${configMaps}/growing`);
    assert.deepEqual(Object.keys(grown['data'] as JsonObject).sort(), ['a', 'text']);
  });

  test('counts for a read only in representations other than the stored one', async () => {
    await server.request('GET', `${configMaps}/heavy`);
    assert.equal(ran(), 0);
    await server.request('GET', `${configMaps}/heavy`, { accept: 'application/yaml' });
    assert.equal(ran(), 1);
  });
});

test('a failing worker fails its requests, and the next request gets a new worker', async () => {
  const thread = new HeavyThread({
    heavyBytes: 50_000,
    program: new URL('./failing-worker.testing.ts', import.meta.url),
  });
  const server = await startTestServer({ heavyThread: thread });
  for (const name of ['a', 'b']) {
    const { status, text } = await server.request('POST', configMaps, { body: sized(name, 60_000) });
    assert.equal(status, 500);
    assert.match(text, /the worker for heavy requests exited/);
  }
  await thread.stop();
});

test('a write that always conflicts ends with its timeout, also in the thread', async () => {
  const thread = new HeavyThread({ heavyBytes: 50_000 });
  const server = await startTestServer({ heavyThread: thread });
  await server.request('POST', configMaps, { body: sized('contested', 10) });
  const accept = test.mock.method(server.store, 'accept', (): never => {
    throw new StoreConflict({ collection: 'configmaps', name: 'default/contested' }, 1);
  });
  const answer = await server.request('PATCH', `${configMaps}/contested?timeout=100ms`, {
    body: sized('contested', 60_000),
    type: merge,
  });
  assert.equal(answer.status, 409);
  assert.match(answer.text, /the object has been modified/);
  assert.ok(accept.mock.callCount() > 1, 'the write was not retried');
  await thread.stop();
});

test('a request that ends before it leaves the queue does not run, and logs no error', async () => {
  const thread = new HeavyThread({ heavyBytes: 50_000 });
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const server = await startTestServer({ heavyThread: thread, logger });
  const client = new AbortController();
  const names = Array.from({ length: 20 }, (_, index) => `wide-${index}`);
  const requests = names.map((name) => server.send('POST', configMaps, { body: sized(name, 60_000) }, client.signal));
  client.abort();
  const answers = await Promise.all(requests);
  const created = answers.filter(({ status }) => status === 201).length;
  assert.ok(created < names.length, 'all of them ran');
  assert.equal(server.store.count('configmaps', 'default/wide-'), created);
  assert.deepEqual(errors, []);
  await thread.stop();
});
