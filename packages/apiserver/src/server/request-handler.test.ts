import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest, ApiResponse } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';

const configMaps = '/api/v1/namespaces/default/configmaps';

// Over HTTP/2 a signal costs several microseconds and half a kilobyte that outlives the request.
test('a request that waits for nothing has no signal made', async () => {
  const server = await startTestServer();
  const send = async (method: string, path: string, type: string, object?: object): Promise<ApiResponse> => {
    const request: Omit<ApiRequest, 'signal'> = {
      method,
      path,
      query: '',
      headers: { 'content-type': type },
      user: { name: 'admin', groups: ['system:masters'] },
      body: () => Promise.resolve(Buffer.from(object ? JSON.stringify(object) : '')),
    };
    Object.defineProperty(request, 'signal', { get: () => assert.fail('a signal was made') });
    return server.api.handle(request as ApiRequest);
  };
  const [json, mergePatch] = ['application/json', 'application/merge-patch+json'];
  const metadata = { name: 'a' };
  assert.equal((await send('POST', configMaps, json, { metadata })).status, 201);
  assert.equal((await send('PUT', `${configMaps}/a`, json, { metadata, data: { a: 'b' } })).status, 200);
  assert.equal((await send('PATCH', `${configMaps}/a`, mergePatch, { data: { a: 'c' } })).status, 200);
  assert.equal((await send('GET', `${configMaps}/a`, json)).status, 200);
  assert.equal((await send('GET', configMaps, json)).status, 200);
  assert.equal((await send('DELETE', `${configMaps}/a`, json)).status, 200);
});
