import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { isProxyable } from './proxy.ts';

const pods = '/api/v1/namespaces/default/pods';
const container = (name: string): JsonObject => ({ name, image: 'i' });

let server: TestServer;
before(async () => {
  server = await startTestServer();
  const pod = async (name: string, spec: JsonObject): Promise<void> => {
    const { status, text } = await server.request('POST', pods, { body: { metadata: { name }, spec } });
    assert.equal(status, 201, text);
  };
  await server.request('POST', '/api/v1/nodes', { body: { metadata: { name: 'bare' } } });
  await server.request('POST', '/api/v1/nodes', { body: { metadata: { name: 'known' } } });
  const status = {
    addresses: [{ type: 'InternalIP', address: '10.1.2.3' }],
    daemonEndpoints: { kubeletEndpoint: { Port: 9 } },
  };
  await server.request('PATCH', '/api/v1/nodes/known/status', {
    body: { status },
    type: 'application/merge-patch+json',
  });
  await pod('waiting', { containers: [container('a')] });
  await pod('several', { initContainers: [container('first')], containers: [container('a'), container('b')] });
  await pod('lost', { nodeName: 'missing', containers: [container('a')] });
  await pod('nameless', { nodeName: 'bare', containers: [container('a')] });
  await pod('placed', { nodeName: 'known', containers: [container('a')] });
});

async function answer(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<string> {
  const { status, body } = await server.request(method, path, { headers });
  return `${status} ${body['message'] as string}`;
}

describe('logs', () => {
  test('of an unscheduled pod are empty', async () => {
    const { status, text } = await server.request('GET', `${pods}/waiting/log`);
    assert.deepEqual([status, text], [204, '']);
  });

  test('of a scheduled pod fail, because the kubelet cannot be reached', async () => {
    assert.equal(
      await answer(`${pods}/placed/log?tailLines=3&follow=1`),
      '500 Get "https://10.1.2.3:9/containerLogs/default/placed/a?follow=true&tailLines=3": dial tcp 10.1.2.3:9: connect: connection refused',
    );
    assert.equal(await answer(`${pods}/lost/log`), '404 pods "missing" not found');
    assert.equal(await answer(`${pods}/nameless/log`), '500 no preferred addresses found; known addresses: []');
  });

  test('need an existing container name if there are several', async () => {
    const several = '400 a container name must be specified for pod several, choose one of: [first a b]';
    assert.equal(await answer(`${pods}/several/log`), several);
    assert.equal(await answer(`${pods}/several/log?container=c`), '400 container c is not valid for pod several');
    assert.equal((await server.request('GET', `${pods}/several/log?container=first`)).status, 204);
  });

  test('are refused with invalid options', async () => {
    assert.equal(
      await answer(`${pods}/waiting/log?tailLines=-1`),
      '422 PodLogOptions "waiting" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    );
    assert.equal(await answer(`${pods}/waiting/log?limitBytes=x`), '400 strconv.ParseInt: parsing "x": invalid syntax');
    assert.match(await answer(`${pods}/waiting/log`, {}, 'PUT'), /^405 /);
  });
});

describe('exec, attach and port forwarding', () => {
  test('need a scheduled pod', async () => {
    for (const action of ['exec', 'attach', 'portforward']) {
      assert.equal(await answer(`${pods}/none/${action}`), '404 pods "none" not found');
      assert.equal(await answer(`${pods}/waiting/${action}`), '400 pod waiting does not have a host assigned');
      assert.equal(await answer(`${pods}/lost/${action}`), '404 pods "missing" not found');
    }
  });

  test('fail, because the kubelet cannot be reached', async () => {
    assert.equal(await answer(`${pods}/placed/exec`), '400 Upgrade request required');
    assert.equal(
      await answer(`${pods}/placed/exec`, { upgrade: 'SPDY/3.1' }),
      '500 Internal error occurred: error sending request: Post "https://10.1.2.3:9/exec/default/placed/a": dial tcp 10.1.2.3:9: connect: connection refused',
    );
  });

  test('refuse ports that are not numbers', async () => {
    const why = 'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax';
    assert.equal(await answer(`${pods}/waiting/portforward?ports=x`), `400 ${why}`);
  });
});

describe('proxies', () => {
  test('refuse addresses of this machine', async () => {
    assert.equal(await answer(`${pods}/waiting/proxy/`), '400 address not allowed');
    assert.equal(await answer(`${pods}/https:waiting:80/proxy/x`, {}, 'DELETE'), '400 address not allowed');
    assert.deepEqual(['127.0.0.1', '::1', '169.254.1.1', 'name', ''].filter(isProxyable), []);
    assert.deepEqual(['10.0.0.1', 'fd00::1'].filter(isProxyable), ['10.0.0.1', 'fd00::1']);
  });

  test('to nodes fail, because the kubelet cannot be reached', async () => {
    const refused = 'dial tcp 10.1.2.3:9: connect: connection refused';
    assert.equal(await answer('/api/v1/nodes/known/proxy/'), `503 error trying to reach service: ${refused}`);
    assert.equal(await answer('/api/v1/nodes/none/proxy/'), '404 nodes "none" not found');
  });

  test('to services need endpoints', async () => {
    const services = '/api/v1/namespaces/default/services';
    const spec = { ports: [{ name: 'web', port: 80 }] };
    await server.request('POST', services, { body: { metadata: { name: 's' }, spec } });
    assert.equal(await answer(`${services}/s/proxy/`), '404 services "s" not found');
    assert.equal(await answer(`${services}/s:81/proxy/`), '503 no service port 81 found for service "s"');
    assert.equal(await answer(`${services}/a:b:c:d/proxy/`), '400 invalid service request "a:b:c:d"');
    await server.request('POST', '/api/v1/namespaces/default/endpoints', { body: { metadata: { name: 's' } } });
    assert.equal(await answer(`${services}/s/proxy/`), '503 no endpoints available for service "s"');
  });
});

describe('simulated kubelets', () => {
  test('answer with what the host program says', async () => {
    const kubelets = { log: 'nothing ran\n', refusal: 'nothing runs' };
    const simulated = await startTestServer({ kubelets });
    await simulated.request('POST', '/api/v1/nodes', { body: { metadata: { name: 'known' } } });
    const status = { addresses: [{ type: 'InternalIP', address: '10.1.2.3' }] };
    const type = 'application/merge-patch+json';
    await simulated.request('PATCH', '/api/v1/nodes/known/status', { body: { status }, type });
    const spec = { nodeName: 'known', containers: [container('a')] };
    await simulated.request('POST', pods, { body: { metadata: { name: 'placed' }, spec } });
    const log = async (query: string) => (await simulated.request('GET', `${pods}/placed/log${query}`)).text;
    assert.equal(await log(''), 'nothing ran\n');
    assert.equal(await log('?follow=true&limitBytes=7'), 'nothing');
    assert.equal(await log('?tailLines=0'), '');
    const headers = { upgrade: 'websocket' };
    for (const path of ['exec?command=ls', 'attach', 'portforward?ports=80']) {
      const { status: code, body } = await simulated.request('GET', `${pods}/placed/${path}`, { headers });
      assert.equal(`${code} ${body['message'] as string}`, '400 nothing runs', path);
    }
    await simulated.stop();
  });
});
