import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { publishServer } from './publish-server.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const endpoints = '/api/v1/namespaces/default/endpoints/kubernetes';
const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';

async function leasesOf(server: TestServer): Promise<JsonObject[]> {
  return (await server.request('GET', leases)).body['items'] as JsonObject[];
}

describe('a server that is not embedded', () => {
  const options = { port: 6443, address: '10.9.8.7', hostname: 'vm', clientAuthority: '' };

  test('has a lease with the name that kube-apiserver would have on its host', async () => {
    const server = await startTestServer();
    await publishServer(server.api, options);
    const [lease] = await leasesOf(server);
    const metadata = lease?.['metadata'] as JsonObject;
    assert.equal(metadata['name'], 'apiserver-wlv32tlttr4jl3gtroqexyxapa');
    assert.deepEqual(metadata['labels'], {
      'apiserver.kubernetes.io/identity': 'kube-apiserver',
      'kubernetes.io/hostname': 'vm',
    });
    assert.deepEqual(metadata['annotations'], { 'kubernetes.io/peer-advertise-address': '10.9.8.7:6443' });
    const spec = lease?.['spec'] as JsonObject;
    assert.match(spec['holderIdentity'] as string, /^apiserver-wlv32tlttr4jl3gtroqexyxapa_[0-9a-f-]{36}$/);
    assert.equal(spec['leaseDurationSeconds'], 3600);
    assert.equal(spec['renewTime'], '2026-01-01T00:00:00.000000Z');
  });

  test('renews its lease every ten seconds, and deletes it when it stops', async () => {
    const server = await startTestServer();
    const published = await publishServer(server.api, options);
    await server.clock.advance(10_000);
    await server.turns.whenIdle();
    await new Promise((resolve) => setImmediate(resolve));
    const [lease] = await leasesOf(server);
    const spec = lease?.['spec'] as JsonObject;
    assert.equal(spec['renewTime'], '2026-01-01T00:00:10.000000Z');
    await published.stop();
    assert.deepEqual(await leasesOf(server), []);
  });

  test('publishes its endpoints', async () => {
    const server = await startTestServer();
    await publishServer(server.api, options);
    assert.deepEqual((await server.request('GET', endpoints)).body['subsets'], [
      { addresses: [{ ip: '10.9.8.7' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
    ]);
    const slice = (await server.request('GET', slices)).body;
    assert.equal(slice['addressType'], 'IPv4');
    assert.deepEqual(slice['endpoints'], [{ addresses: ['10.9.8.7'], conditions: { ready: true } }]);
  });

  test('updates its endpoints after a restart only if its address changed', async () => {
    const server = await startTestServer();
    await publishServer(server.api, options);
    const before = (await server.request('GET', slices)).text;
    await publishServer(server.api, options);
    assert.equal((await server.request('GET', slices)).text, before);
    await publishServer(server.api, { ...options, address: '10.9.8.8', port: 7443 });
    assert.deepEqual((await server.request('GET', endpoints)).body['subsets'], [
      { addresses: [{ ip: '10.9.8.8' }], ports: [{ name: 'https', port: 7443, protocol: 'TCP' }] },
    ]);
    assert.deepEqual((await server.request('GET', slices)).body['ports'], [
      { name: 'https', port: 7443, protocol: 'TCP' },
    ]);
  });

  test('publishes since when it tracks the use of legacy tokens', async () => {
    const server = await startTestServer();
    await publishServer(server.api, options);
    const path = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
    assert.deepEqual((await server.request('GET', path)).body['data'], { since: '2026-01-01' });
  });

  test('does not publish a loopback address', async () => {
    const server = await startTestServer();
    await publishServer(server.api, { ...options, address: '127.0.0.1' });
    assert.equal((await server.request('GET', endpoints)).status, 404);
    assert.equal((await server.request('GET', slices)).status, 404);
  });
});
