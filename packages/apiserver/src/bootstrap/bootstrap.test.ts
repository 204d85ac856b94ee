import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { bootstrap } from './bootstrap.ts';

async function namesIn(server: TestServer, path: string): Promise<string[]> {
  const { body } = await server.request('GET', path);
  return (body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
}

test('a second start on the same store writes nothing', async () => {
  const server = await startTestServer();
  const { revision } = server.store;
  await bootstrap(server.api, 6443);
  assert.equal(server.store.revision, revision);
});

test('a suggested level is restored, unless its annotation says that it is not', async () => {
  const server = await startTestServer();
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/system';
  const sharesAfter = async (annotation: string): Promise<unknown> => {
    const metadata = { annotations: { 'apf.kubernetes.io/autoupdate-spec': annotation } };
    const patch = { metadata, spec: { limited: { nominalConcurrencyShares: 7 } } };
    await server.request('PATCH', path, { body: patch, type: 'application/merge-patch+json' });
    await bootstrap(server.api, 6443);
    const { body } = await server.request('GET', path);
    return (body['spec'] as { limited: JsonObject }).limited['nominalConcurrencyShares'];
  };
  assert.equal(await sharesAfter('true'), 30);
  assert.equal(await sharesAfter('false'), 7);
});

test('exactly the served versions have a local APIService', async () => {
  const server = await startTestServer();
  const names = await namesIn(server, '/apis/apiregistration.k8s.io/v1/apiservices');
  const served = [...server.api.parts.registry.all()]
    .filter(({ group }) => group !== 'apiregistration.k8s.io')
    .map(({ group, version }) => `${version}.${group}`);
  assert.deepEqual(names, [...new Set(served)].sort());
  const { body } = await server.request('GET', '/apis/apiregistration.k8s.io/v1/apiservices/v2.autoscaling');
  assert.deepEqual(body['spec'], {
    group: 'autoscaling',
    groupPriorityMinimum: 17_500,
    version: 'v2',
    versionPriority: 30,
  });
});

test('each flow schema names an existing priority level, and has the condition for it', async () => {
  const server = await startTestServer();
  const path = '/apis/flowcontrol.apiserver.k8s.io/v1';
  const levels = await namesIn(server, `${path}/prioritylevelconfigurations`);
  const { body } = await server.request('GET', `${path}/flowschemas`);
  const schemas = body['items'] as { spec: JsonObject; status: { conditions: JsonObject[] } }[];
  assert.equal(schemas.length, 11);
  for (const { spec, status } of schemas) {
    const { name } = spec['priorityLevelConfiguration'] as { name: string };
    assert.ok(levels.includes(name), name);
    assert.equal(
      status.conditions[0]?.['message'],
      `This FlowSchema references the PriorityLevelConfiguration object named "${name}" and it exists`,
    );
  }
});

test('the ServiceCIDR has the condition Ready', async () => {
  const server = await startTestServer();
  const { body } = await server.request('GET', '/apis/networking.k8s.io/v1/servicecidrs/kubernetes');
  assert.deepEqual(body['spec'], { cidrs: ['10.0.0.0/24'] });
  assert.equal((body['status'] as { conditions: JsonObject[] }).conditions[0]?.['status'], 'True');
});
