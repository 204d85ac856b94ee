import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { definitions, memberClusters } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { administrator, customResourceDefinitions } from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { installDefinitions } from './install-definitions.ts';
import { startServer, type RunningServer } from './start-server.ts';

describe('definitions on a server', () => {
  let server: RunningServer;
  let client: Client;
  let ours: readonly CustomResourceDefinition[];
  before(async () => {
    server = await startServer();
    client = await server.clientAs(administrator);
    ours = await definitions();
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  test('are served once the install resolves', async () => {
    assert.equal(await installDefinitions(client, ours), ours.length);
    assert.deepEqual((await client.list(memberClusters)).items, []);
  });

  test('are not written if they are the same', async () => {
    assert.equal(await installDefinitions(client, ours), 0);
  });

  test('are written only if they differ', async () => {
    const changed = ours.map((definition, index) => (index === 0 ? withAnotherName(definition) : definition));
    assert.equal(await installDefinitions(client, changed), 1);
    assert.equal(await installDefinitions(client, changed), 0);
    assert.equal(await installDefinitions(client, ours), 1);
  });

  test('of OCM are left alone if OCM installed them', async () => {
    const placements = ours.find(({ metadata }) => metadata.name === 'placements.cluster.open-cluster-management.io');
    assert.ok(placements);
    const { metadata } = placements;
    const stored = await client.get(customResourceDefinitions, { name: metadata.name ?? '' });
    await client.update(customResourceDefinitions, { ...stored, metadata: { ...stored.metadata, annotations: {} } });
    assert.equal(await installDefinitions(client, [withAnotherName(placements)]), 0);
  });

  test('can be installed by two clients at once', async () => {
    const [definition] = ours;
    assert.ok(definition);
    const changed = [withAnotherName(definition)];
    await Promise.all([installDefinitions(client, changed), installDefinitions(client, changed)]);
    assert.equal(await installDefinitions(client, changed), 0);
  });

  test('are refused to a user without rights', async () => {
    const stranger = await server.clientAs({ name: 'stranger', groups: [] });
    await assert.rejects(installDefinitions(stranger, ours), /forbidden/);
    await stranger.close();
  });
});

function withAnotherName(definition: CustomResourceDefinition): CustomResourceDefinition {
  const { spec } = definition;
  return { ...definition, spec: { ...spec, names: { ...spec.names, shortNames: ['other'] } } };
}
