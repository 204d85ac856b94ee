/** Several servers behind one listener, over real sockets. */
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { administrator } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { freshCredentials, type CredentialSet } from '../credentials/credentials.ts';
import { embeddedPath, ServerRoutes, type RoutedServer } from './server-routes.ts';
import { listen, type Listener } from './listener.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const names = ['oslo', 'rome'] as const;

describe('servers behind one listener', () => {
  let listener: Listener;
  let credentials: CredentialSet;

  before(async () => {
    credentials = await freshCredentials(['127.0.0.1'], new Date());
    const hub = await startTestServer({ staticTokens: [{ token: 'of-hub', user: administrator }] });
    const identity = credentials.server;
    listener = await listen({ ...hub.api, identity, host: '127.0.0.1', port: 0, now: Date.now });
    for (const name of names) {
      const staticTokens = [{ token: `of-${name}`, user: administrator }];
      const server = await startTestServer({ staticTokens, basePath: embeddedPath(name) });
      await server.request('POST', configMaps, { body: { metadata: { name: `in-${name}` } } });
      listener.routes.add(name, server.api);
    }
  });
  after(() => listener.close(0));

  interface RequestOptions {
    readonly token?: string;
    readonly certificate?: boolean;
    readonly headers?: Record<string, string>;
  }

  function ask(path: string, { token, certificate, headers = {} }: RequestOptions = {}) {
    return new Promise<{ status: number; text: string; location: string | undefined }>((resolve, reject) => {
      const { server, admin } = credentials;
      const sent = request({
        host: '127.0.0.1',
        port: listener.port,
        path,
        ca: server.authority,
        ...(certificate && { key: admin.key, cert: admin.certificate }),
        headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
        agent: false,
      });
      sent.on('error', reject);
      sent.on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve({ status: 101, text: '', location: undefined });
      });
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        const { statusCode: status = 0, headers: answered } = response;
        response.on('end', () => resolve({ status, text, location: answered.location }));
      });
      sent.end();
    });
  }

  test('are found by the prefix of the path', async () => {
    for (const name of names) {
      const { text } = await ask(`/clusters/${name}${configMaps}?limit=1`, { token: `of-${name}` });
      assert.match(text, new RegExp(`"name":"in-${name}"`));
    }
    const { text } = await ask(configMaps, { token: 'of-hub' });
    assert.match(text, /"items":\[\]/);
  });

  test('accept only their own tokens', async () => {
    const paths = ['', '/clusters/oslo', '/clusters/rome'];
    for (const [index, token] of ['of-hub', 'of-oslo', 'of-rome'].entries()) {
      const statuses = await Promise.all(paths.map((path) => ask(`${path}${configMaps}`, { token })));
      const expected = paths.map((_path, at) => (at === index ? 200 : 401));
      assert.deepEqual(
        statuses.map(({ status }) => status),
        expected,
      );
    }
  });

  test('ignore client certificates, except for the first', async () => {
    assert.equal((await ask(configMaps, { certificate: true })).status, 200);
    const { status, text } = await ask(`/clusters/oslo${configMaps}`, { certificate: true });
    assert.equal(status, 403);
    assert.match(text, /system:anonymous/);
    assert.equal((await ask('/clusters/oslo/api', { certificate: true, token: 'of-oslo' })).status, 200);
  });

  test('return paths with their prefix in discovery documents', async () => {
    const index = await ask('/clusters/oslo/openapi/v3', { token: 'of-oslo' });
    const { paths } = JSON.parse(index.text) as { paths: Record<string, { serverRelativeURL: string }> };
    const url = paths['api/v1']?.serverRelativeURL ?? '';
    assert.match(url, /^\/clusters\/oslo\/openapi\/v3\/api\/v1\?hash=/);
    assert.equal((await ask(url, { token: 'of-oslo' })).status, 200);
    const outdated = await ask('/clusters/oslo/openapi/v3/api/v1?hash=old', { token: 'of-oslo' });
    assert.deepEqual([outdated.status, outdated.location], [301, url]);
    const issuer = await ask('/clusters/oslo/.well-known/openid-configuration', { token: 'of-oslo' });
    assert.match(issuer.text, /"jwks_uri":"https:\/\/127\.0\.0\.1:6443\/clusters\/oslo\/openid\/v1\/jwks"/);
  });

  test('serve pages of lists, and watches over WebSocket', async () => {
    const token = 'of-rome';
    const page = await ask('/clusters/rome/api/v1/namespaces?limit=2', { token });
    const { metadata } = JSON.parse(page.text) as { metadata: { continue: string } };
    const rest = await ask(`/clusters/rome/api/v1/namespaces?limit=2&continue=${metadata.continue}`, { token });
    assert.equal((JSON.parse(rest.text) as { items: unknown[] }).items.length, 2);
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const watched = await ask(`/clusters/rome${configMaps}?watch=true`, { token, headers: upgrade });
    assert.equal(watched.status, 101);
  });

  test('leave paths with an unknown name to the first', async () => {
    assert.equal((await ask('/clusters/nowhere/api', { token: 'of-hub' })).status, 404);
    assert.equal((await ask('/clusters', { token: 'of-hub' })).status, 404);
  });
});

test('the path within a server begins after its name', () => {
  const server = (): RoutedServer => ({ handle: () => Promise.reject(new Error()), authenticate: () => undefined });
  const routes = new ServerRoutes(server());
  const close = routes.add('oslo', server());
  const targets = ['/clusters/oslo', '/clusters/oslo?a=b', '/clusters/oslo/api?a=/b', '/clusters/oslos/api', '/api'];
  assert.deepEqual(
    targets.map((target) => routes.find(target).target),
    ['/', '/?a=b', '/api?a=/b', '/clusters/oslos/api', '/api'],
  );
  assert.throws(() => routes.add('oslo', server()), /already/);
  close();
  assert.equal(routes.find('/clusters/oslo/api').target, '/clusters/oslo/api');
});
