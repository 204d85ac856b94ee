import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { until } from '../custom/widgets.testing.ts';

const path = '/apis/apiregistration.k8s.io/v1/apiservices';
const services = '/api/v1/namespaces/default/services';
const now = '2026-01-01T00:00:00Z';

async function conditionOf(server: TestServer, isRight: (reason: string) => boolean): Promise<JsonObject> {
  for (let turn = 0; turn < 10_000; turn++) {
    const { body } = await server.request('GET', `${path}/v1.x.io`);
    const { conditions: [condition] = [] } = (body['status'] ?? {}) as { conditions?: JsonObject[] };
    if (condition && isRight(condition['reason'] as string)) return condition;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return assert.fail('the condition did not come');
}

function register(server: TestServer): Promise<unknown> {
  const spec = {
    group: 'x.io',
    version: 'v1',
    groupPriorityMinimum: 100,
    versionPriority: 100,
    insecureSkipTLSVerify: true,
    service: { namespace: 'default', name: 'ext' },
  };
  const body = { metadata: { name: 'v1.x.io' }, spec };
  return server.request('POST', path, { body });
}

describe('an APIService with a service', () => {
  test('has the condition Available=False, whose reason follows changes of the service', async () => {
    const server = await startTestServer();
    await register(server);
    assert.deepEqual(await conditionOf(server, (reason) => reason === 'ServiceNotFound'), {
      type: 'Available',
      status: 'False',
      lastTransitionTime: now,
      reason: 'ServiceNotFound',
      message: 'service/ext in "default" is not present',
    });
    await server.clock.advance(60_000);
    const body = { metadata: { name: 'ext' }, spec: { ports: [{ port: 443 }] } };
    await server.request('POST', services, { body });
    const condition = await conditionOf(server, (reason) => reason === 'EndpointsNotFound');
    assert.equal(condition['lastTransitionTime'], now);
    await server.request('DELETE', `${services}/ext`);
    await conditionOf(server, (reason) => reason === 'ServiceNotFound');
  });

  test('has kube-apiserver as the field manager of its condition', async () => {
    const server = await startTestServer();
    await register(server);
    await conditionOf(server, () => true);
    const { metadata } = (await server.request('GET', `${path}/v1.x.io`)).body as { metadata: JsonObject };
    const owners = (metadata['managedFields'] as JsonObject[]).map(({ manager, operation, subresource }) => [
      manager,
      operation,
      subresource,
    ]);
    assert.deepEqual(owners, [
      ['kube-apiserver', 'Update', 'status'],
      ['test', 'Update', undefined],
    ]);
  });

  test('is stale in discovery, and requests for its group version get 503', async () => {
    const server = await startTestServer();
    const found = (at: string): Promise<[number, string]> =>
      server.request('GET', at).then(({ status, text }) => [status, text]);
    assert.equal((await found('/apis/x.io/v1/things'))[0], 404);
    await register(server);
    await conditionOf(server, () => true);
    for (const at of ['/apis/x.io/v1', '/apis/x.io/v1/', '/apis/x.io/v1/namespaces/a/things/b']) {
      assert.deepEqual(await found(at), [503, 'service unavailable\n'], at);
    }
    assert.equal((await found('/apis/x.io/v2'))[0], 404);
    const [, group] = await found('/apis/x.io');
    assert.match(group, /"preferredVersion":\{"groupVersion":"x\.io\/v1","version":"v1"\}/);
    const { text } = await server.request('GET', '/apis', {
      accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    });
    assert.ok(text.includes('{"metadata":{"name":"x.io"},"versions":[{"version":"v1","freshness":"Stale"}]}'));
    await server.request('DELETE', `${path}/v1.x.io`);
    await until(async () => (await found('/apis/x.io/v1'))[0] === 404);
  });

  test('does not replace a group version that this server serves', async () => {
    const server = await startTestServer();
    await register(server);
    await conditionOf(server, () => true);
    assert.equal((await server.request('GET', '/apis/apps/v1')).status, 200);
  });
});
