import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startTestServer, type TestServer } from '@flotilla/testkit';

describe('unknown paths', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });

  async function answerTo(path: string, method = 'GET'): Promise<string> {
    const { status, headers, text } = await server.request(method, path);
    return `${status} ${String(headers['content-type'])} ${text.trim()}`;
  }

  test("get Kubernetes' 404 below a served group", async () => {
    const unknown =
      '404 application/json {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server could not find the requested resource","reason":"NotFound","details":{},"code":404}';
    for (const path of ['/api/v2', '/apis/apps/v2', '/apis/apps/v2/deployments', '/api/v1/nope', '/version/x']) {
      assert.equal(await answerTo(path), unknown, path);
    }
  });

  test("get Go's 404 elsewhere", async () => {
    for (const path of ['/nope', '/apis/nope', '/apis/nope/v1/x', '/apis//']) {
      assert.equal(await answerTo(path), '404 text/plain; charset=utf-8 404 page not found', path);
    }
  });

  test("get Go's 404 below a group without a name", async () => {
    const configMaps = '/apis//v1/namespaces/default/configmaps';
    for (const path of ['/apis//v1', '/apis//v1/', '/apis//v1/configmaps', configMaps, `${configMaps}/a`]) {
      assert.equal(await answerTo(path), '404 text/plain; charset=utf-8 404 page not found', path);
    }
    assert.match(await answerTo(configMaps, 'POST'), /^404 text/);
    const { status, text } = await server.request('GET', configMaps, { user: { name: 'jane', groups: [] } });
    assert.equal(status, 403);
    assert.match(text, /"configmaps is forbidden: User \\"jane\\" cannot list resource/);
  });
});

describe('the rest of a path', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });

  test('after a subresource of a built-in resource is unknown, unless it is a proxy', async () => {
    const unknown = 'the server could not find the requested resource';
    for (const method of ['GET', 'PUT', 'PATCH', 'POST', 'DELETE']) {
      for (const path of [
        '/api/v1/namespaces/default/status/x',
        '/api/v1/namespaces/default/pods/p/status/x/y',
        '/apis/apps/v1/namespaces/default/deployments/d/scale/x',
        '/api/v1/namespaces/default/pods/p/log/x',
        '/api/v1/namespaces/default/configmaps/a/b/c',
      ]) {
        const { status, body } = await server.request(method, path);
        assert.deepEqual([status, body['message']], [404, unknown], `${method} ${path}`);
      }
    }
    const { body } = await server.request('GET', '/api/v1/namespaces/default/pods/p/proxy/x/y');
    assert.equal(body['message'], 'pods "p" not found');
  });

  test('is ignored if it is only slashes', async () => {
    for (const [path, kind] of [
      ['/api//', 'APIVersions'],
      ['/apis/apps//', 'APIGroup'],
      ['/apis/apps/v1//', 'APIResourceList'],
      ['/api/v1/namespaces//', 'NamespaceList'],
      ['/api/v1/namespaces/default//', 'Namespace'],
      ['/api/v1/namespaces/default/status//', 'Namespace'],
    ] as const) {
      assert.equal((await server.request('GET', path)).body['kind'], kind, path);
    }
  });
});

describe('methods', () => {
  test('without a route are refused, including HEAD and writes to a watch', async () => {
    const server = await startTestServer();
    for (const [method, path] of [
      ['HEAD', '/api/v1/namespaces/default/configmaps'],
      ['OPTIONS', '/api/v1/namespaces'],
      ['POST', '/api/v1/watch/namespaces/default/configmaps'],
      ['DELETE', '/api/v1/configmaps'],
    ] as const) {
      const { status } = await server.request(method, path);
      assert.equal(status, 405, `${method} ${path}`);
    }
  });
});
