/** Sends every request as every account, to a server with objects, and compares with `allowed.ts`. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { ApiResponse, JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { define, v1, widgets } from '../../packages/apiserver/src/custom/widgets.testing.ts';
import { accounts, namespaces, roles, type Account } from './accounts.ts';
import { allowed, allowedPaths } from './allowed.ts';
import { everyRequest, type MatrixRequest } from './every-request.ts';

/** In every stored object. No refusal may contain it. */
const secretWord = 'hunter2';

let server: TestServer;

async function made(path: string, body: JsonObject): Promise<void> {
  const { status, text } = await server.request('POST', path, { body });
  assert.equal(status, 201, text);
}

before(async () => {
  server = await startTestServer();
  for (const name of namespaces) await made('/api/v1/namespaces', { metadata: { name } });
  for (const [namespace, account, rules] of roles) await bind(namespace, account, rules);
  for (const [plural, kind] of [
    ['works', 'Work'],
    ['heartbeats', 'Heartbeat'],
  ] as const) {
    await define(server, widgets({ plural, kind, versions: [v1({ subresources: { status: {} } })] }));
  }
  for (const namespace of namespaces) await seed(namespace);
});

async function bind(namespace: string, name: string, rules: JsonObject[]): Promise<void> {
  const place = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  await made(`${place}/roles`, { metadata: { name }, rules });
  await made(`${place}/rolebindings`, { metadata: { name }, roleRef, subjects: [{ kind: 'ServiceAccount', name }] });
}

async function seed(namespace: string): Promise<void> {
  const metadata = { name: 'seeded', labels: { word: secretWord } };
  const core = `/api/v1/namespaces/${namespace}`;
  await made(`${core}/secrets`, { metadata, stringData: { password: secretWord } });
  await made(`${core}/configmaps`, { metadata, data: { password: secretWord } });
  for (const plural of ['works', 'heartbeats']) {
    const kind = plural === 'works' ? 'Work' : 'Heartbeat';
    const object = { apiVersion: 'example.com/v1', kind, metadata, spec: { color: secretWord } };
    await made(`/apis/example.com/v1/namespaces/${namespace}/${plural}`, object);
  }
}

function isAllowed(account: Account, { scope, verb, resource }: MatrixRequest): boolean {
  return allowed[account].some((row) => {
    const [place, ...words] = row.split(/:? /);
    return place === scope && words.at(-1) === resource && words.slice(0, -1).includes(verb);
  });
}

async function send(account: Account, method: string, target: string): Promise<ApiResponse> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  return server.send(method, target, { user: accounts[account], body: {}, type });
}

function textOf({ body }: ApiResponse): string {
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : '';
}

for (const account of Object.keys(accounts) as Account[]) {
  describe(`${account} may send exactly the requests of the table`, () => {
    test('for resources', async () => {
      const used = new Set<string>();
      for (const request of everyRequest('seeded')) {
        const { method, target, cannot, subject, scope, verb, resource } = request;
        const response = await send(account, method, target);
        const text = textOf(response);
        const sent = `${method} ${target}`;
        if (isAllowed(account, request)) {
          used.add(`${scope} ${verb} ${resource}`);
          assert.doesNotMatch(text, /: User \\"/, sent);
          assert.notEqual(response.status, 401, sent);
        } else {
          assert.equal(response.status, 403, sent);
          const { message } = JSON.parse(text) as { message: string };
          assert.equal(message, `${subject} is forbidden: User "${accounts[account].name}" ${cannot}`, sent);
        }
      }
      const written = allowed[account].flatMap((row) => row.split(/:? /).slice(1, -1)).length;
      assert.equal(used.size, written, 'every row of the table was used');
    });

    test('and a refusal does not reveal whether the object exists', async () => {
      const missing = [...everyRequest('ghosts')];
      for (const [index, request] of [...everyRequest('seeded')].entries()) {
        const other = missing[index];
        if (isAllowed(account, request) || !other) continue;
        const there = await send(account, request.method, request.target);
        const notThere = await send(account, other.method, other.target);
        const text = textOf(there);
        assert.ok(!text.includes(secretWord), request.target);
        assert.equal(text.replaceAll('seeded', 'ghosts'), textOf(notThere), request.target);
        assert.deepEqual(there.headers, notThere.headers, request.target);
      }
    });

    test('for non-resource paths', async () => {
      const paths = new Set([
        ...Object.values(allowedPaths).flatMap((rows) => rows.map((row) => row.split(' ')[1] ?? '')),
        '/',
        '/metrics',
        '/healthz/ping',
        '/livez/ping',
        '/logs',
        '/debug/pprof',
        '/flotilla/backup',
        '/nowhere',
      ]);
      for (const path of paths) {
        for (const verb of ['get', 'post', 'put', 'delete']) {
          const response = await send(account, verb.toUpperCase(), path);
          if (allowedPaths[account].includes(`${verb} ${path}`)) {
            assert.ok(![401, 403].includes(response.status), `${verb} ${path}`);
            continue;
          }
          assert.equal(response.status, 403, `${verb} ${path}`);
          const { message } = JSON.parse(textOf(response)) as { message: string };
          assert.equal(message, `forbidden: User "${accounts[account].name}" cannot ${verb} path "${path}"`);
        }
      }
    });
  });
}

describe('rights in one namespace', () => {
  test('reveal no object of another in lists and watches', async () => {
    const user = accounts.member;
    const worksIn = (namespace: string) => `/apis/example.com/v1/namespaces/${namespace}/works`;
    const watch = await server.watch(`${worksIn('member-a')}?watch=true&resourceVersion=0`, { user });
    for (const namespace of ['other', 'member-a']) {
      const object = { apiVersion: 'example.com/v1', kind: 'Work', metadata: { name: `new-in-${namespace}` } };
      await made(worksIn(namespace), object);
    }
    const named = (await watch.events()).map(({ object }) => object['metadata'] as { name: string; namespace: string });
    assert.deepEqual(
      named.map(({ namespace, name }) => `${namespace}/${name}`),
      ['member-a/seeded', 'member-a/new-in-member-a'],
    );
    watch.close();
    const { text } = await server.request('GET', worksIn('member-a'), { user });
    assert.ok(!text.includes('new-in-other'));
  });

  test('to get one Secret do not reveal the others through selectors', async () => {
    const user = accounts.robot;
    for (const query of ['fieldSelector=metadata.name%3Dseeded', 'labelSelector=word%3Dhunter2', 'limit=1']) {
      const { status, text } = await server.request('GET', `/api/v1/namespaces/team/secrets?${query}`, { user });
      assert.equal(status, 403, query);
      assert.ok(!text.includes(secretWord));
    }
  });
});
