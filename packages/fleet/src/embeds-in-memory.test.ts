import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { configMaps, ignoreNotFound } from '@flotilla/kube';
import { startFleet } from './start-fleet.ts';

test('a durable hub can have members in memory, which are new after a restart', async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'flotilla-'));
  t.after(() => rm(dataDirectory, { recursive: true }));
  const options = { dataDirectory, embedsInMemory: true } as const;
  const key = { namespace: 'default', name: 'note' };
  const note = { apiVersion: 'v1', kind: 'ConfigMap', metadata: key };
  const before = await startFleet({ ...options, members: ['sea'] });
  const clients = [await before.hub.client(), ...Array.from(before.members.values(), (member) => member.client())];
  await Promise.all(clients.map((client) => client.create(configMaps, note)));
  await Promise.all(clients.map((client) => client.close()));
  await before.stop();

  const after = await startFleet(options);
  const [hub, sea] = [await after.hub.client(), after.members.get('sea')?.client()];
  const kept = await hub.get(configMaps, key).catch(ignoreNotFound);
  const lost = await sea?.get(configMaps, key).catch(ignoreNotFound);
  await Promise.all([hub.close(), sea?.close()]);
  await after.stop();
  assert.equal(kept?.metadata.name, 'note');
  assert.equal(lost, undefined);
});
