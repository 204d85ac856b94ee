import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { makeAuthority } from '../credentials/certificates.ts';
import { combinedBundle, publishClientAuthority } from './client-authority.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const now = new Date('2026-01-01T00:00:00Z');
const [first, second] = await Promise.all([made(now), made(now)]);
const expired = await made(new Date('2006-01-02T03:04:05Z'));

async function made(at: Date): Promise<string> {
  return `${(await makeAuthority(at)).certificate.trim()}\n`;
}

async function publishedBy(server: TestServer): Promise<JsonObject> {
  return (await server.request('GET', path)).body;
}

describe('the authorities that sign client certificates', () => {
  test('are published as kube-apiserver publishes them', async () => {
    const server = await startTestServer();
    await publishClientAuthority(server.api, `# a comment\n${first}`);
    const { data, metadata } = (await publishedBy(server)) as { data: JsonObject; metadata: JsonObject };
    assert.deepEqual(data, { 'client-ca-file': first });
    const [entry, ...others] = metadata['managedFields'] as JsonObject[];
    assert.deepEqual(others, []);
    assert.deepEqual([entry?.['manager'], entry?.['operation']], ['kube-apiserver', 'Update']);
    assert.deepEqual(entry?.['fieldsV1'], { 'f:data': { '.': {}, 'f:client-ca-file': {} } });
  });

  test('are written again only if one is new', async () => {
    const server = await startTestServer();
    await publishClientAuthority(server.api, first);
    const before = await publishedBy(server);
    await publishClientAuthority(server.api, first);
    assert.deepEqual(await publishedBy(server), before);
    await publishClientAuthority(server.api, second);
    assert.deepEqual((await publishedBy(server))['data'], { 'client-ca-file': `${first}${second}` });
  });

  test('are published again after the ConfigMap is deleted', async () => {
    const server = await startTestServer();
    await publishClientAuthority(server.api, first);
    await server.request('DELETE', path);
    await publishClientAuthority(server.api, first);
    assert.deepEqual((await publishedBy(server))['data'], { 'client-ca-file': first });
  });

  test('are each published once, and not after they expire', () => {
    assert.equal(combinedBundle([`${first}${expired}`, `${second}${first}`], now), `${first}${second}`);
    assert.equal(combinedBundle([expired], now), '');
  });
});
