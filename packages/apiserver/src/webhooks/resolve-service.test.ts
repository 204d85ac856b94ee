import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { resolveInStore } from './resolve-service.ts';

const path = '/api/v1/namespaces/default';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices';

async function create(server: TestServer, at: string, body: JsonObject): Promise<void> {
  const answer = await server.request('POST', at, { body });
  assert.equal(answer.status, 201, answer.text);
}

function slice(name: string, ready: boolean, address: string): JsonObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, labels: { 'kubernetes.io/service-name': 'hook' } },
    addressType: 'IPv4',
    ports: [{ name: 'https', port: 8443 }],
    endpoints: [{ addresses: [address], conditions: { ready } }],
  };
}

test('a service is reached through a ready endpoint, else by its cluster IP', async () => {
  const server = await startTestServer();
  const { store } = server;
  const resolve = resolveInStore(store, () => 0);
  const hook = { namespace: 'default', name: 'hook', port: 443 };
  assert.throws(() => resolve(hook), /^Error: service "hook" not found$/);

  const ports = [{ name: 'https', port: 443 }];
  const spec = { ports, clusterIP: '10.0.0.77' };
  await create(server, `${path}/services`, { apiVersion: 'v1', kind: 'Service', metadata: { name: 'hook' }, spec });
  assert.deepEqual(resolve(hook), { host: '10.0.0.77', port: 443 });
  assert.throws(() => resolve({ ...hook, port: 1 }), /no service port 1 found for service "hook"/);

  const subsets = [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'https', port: 9443 }] }];
  await create(server, `${path}/endpoints`, {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'hook' },
    subsets,
  });
  assert.deepEqual(resolve(hook), { host: '192.0.2.1', port: 9443 });

  await create(server, slices, slice('down', false, '192.0.2.2'));
  assert.throws(() => resolve(hook), /^Error: no endpoints available for service "hook"$/);
  await create(server, slices, slice('up', true, '192.0.2.3'));
  assert.deepEqual(resolve(hook), { host: '192.0.2.3', port: 8443 });
});
