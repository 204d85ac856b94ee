import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { TestServer } from './test-server.ts';

describe('paths that lead nowhere', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });

  async function answerTo(path: string, method = 'GET'): Promise<string> {
    const { status, headers, text } = await server.request(method, path);
    return `${status} ${String(headers['content-type'])} ${text.trim()}`;
  }

  test('are unknown to Kubernetes below a group that is served', async () => {
    const unknown =
      '404 application/json {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server could not find the requested resource","reason":"NotFound","details":{},"code":404}';
    for (const path of ['/api/v2', '/apis/apps/v2', '/apis/apps/v2/deployments', '/api/v1/nope', '/version/x']) {
      assert.equal(await answerTo(path), unknown, path);
    }
  });

  test('are unknown to Go elsewhere', async () => {
    for (const path of ['/nope', '/apis/nope', '/apis/nope/v1/x']) {
      assert.equal(await answerTo(path), '404 text/plain; charset=utf-8 404 page not found', path);
    }
  });
});

describe('methods', () => {
  test('that no route has are refused, HEAD and writes to a watch among them', async () => {
    const server = await TestServer.start();
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
