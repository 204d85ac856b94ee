import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';

const services = '/api/v1/namespaces/default/services';
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';

function service(spec: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80 }], ...spec } };
}

test('the IPAddress of a service is created and deleted with it', async () => {
  const server = await startTestServer();
  await server.request('POST', services, { body: service({ clusterIP: '10.0.0.77' }) });
  const { body } = await server.request('GET', `${addresses}/10.0.0.77`);
  assert.deepEqual(body['spec'], { parentRef: { resource: 'services', namespace: 'default', name: 'web' } });
  await server.request('DELETE', `${services}/web`);
  assert.equal((await server.request('GET', `${addresses}/10.0.0.77`)).status, 404);
});

test('a service that releases its address loses the IPAddress', async () => {
  const server = await startTestServer();
  await server.request('POST', services, { body: service({ clusterIP: '10.0.0.78' }) });
  const spec = { type: 'ExternalName', externalName: 'example.com', clusterIP: '', clusterIPs: null };
  const merge = 'application/merge-patch+json';
  const patched = await server.request('PATCH', `${services}/web`, { body: { spec }, type: merge });
  assert.equal(patched.status, 200);
  assert.equal((await server.request('GET', `${addresses}/10.0.0.78`)).status, 404);
});

test('neither a dry run nor a headless service allocates an address', async () => {
  const server = await startTestServer();
  const before = (await server.request('GET', addresses)).body['items'] as JsonObject[];
  await server.request('POST', `${services}?dryRun=All`, { body: service({}) });
  await server.request('POST', services, { body: service({ clusterIP: 'None' }) });
  const after = (await server.request('GET', addresses)).body['items'] as JsonObject[];
  assert.equal(after.length, before.length);
});

test('endpoints are deleted with the service of their name', async () => {
  const server = await startTestServer();
  const endpoints = '/api/v1/namespaces/default/endpoints';
  const subsets = [{ addresses: [{ ip: '10.1.0.5' }], ports: [{ port: 80 }] }];
  await server.request('POST', services, { body: service({}) });
  for (const name of ['web', 'other']) {
    const body = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name }, subsets };
    await server.request('POST', endpoints, { body });
  }
  await server.request('DELETE', `${services}/web`);
  assert.equal((await server.request('GET', `${endpoints}/web`)).status, 404);
  assert.equal((await server.request('GET', `${endpoints}/other`)).status, 200);
});
