import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hubDefinitions } from '@flotilla/api';
import { customResourceDefinitions, type KubeObject } from '@flotilla/kube';
import { startTestServer } from '@flotilla/testkit';
import { attachedSettings } from './attached-settings.ts';
import { installDefinitions } from './install-definitions.ts';

test('a hub leaves the work of OCM to it where its definitions are not ours', async () => {
  const server = await startTestServer();
  const { client } = server;
  assert.equal((await attachedSettings(client, {})).isOcmInstalled, false);
  const ours = (await hubDefinitions()).filter(({ metadata }) => metadata.name?.startsWith('managedclusters.'));
  await installDefinitions(client, ours);
  assert.deepEqual(await attachedSettings(client, {}), { isOcmInstalled: false });
  const [name = ''] = ours.map(({ metadata }) => metadata.name);
  const stored: KubeObject = await client.get(customResourceDefinitions, { name });
  await client.update(customResourceDefinitions, { ...stored, metadata: { ...stored.metadata, annotations: {} } });
  const { isOcmInstalled, controllers } = await attachedSettings(client, { controllers: ['*'] });
  assert.deepEqual([isOcmInstalled, controllers?.includes('-cluster-availability')], [true, true]);
  assert.deepEqual(await attachedSettings(client, { isOcmInstalled: false }), { isOcmInstalled: false });
  await server.stop();
});
