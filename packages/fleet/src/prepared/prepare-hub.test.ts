import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  apiServices,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  namespaces,
  nodes,
  roleBindings,
  roles,
  serviceAccounts,
  type ConfigMap,
  type Kind,
  type KubeObject,
} from '@flotilla/kube';
import { startHub } from '../start-hub.ts';
import { startFleet, type RunningFleet } from '../start-fleet.ts';
import { prepareHub } from './prepare-hub.ts';
import type { ReadPrepared } from './prepared-files.ts';

const clusterScoped = { version: 'v1', namespaced: false } as const;
const flowControl = { ...clusterScoped, group: 'flowcontrol.apiserver.k8s.io' } as const;

const kinds: readonly Kind[] = [
  apiServices,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  namespaces,
  nodes,
  roleBindings,
  roles,
  serviceAccounts,
  { ...clusterScoped, group: 'storage.k8s.io', kind: 'StorageClass', plural: 'storageclasses' },
  { ...flowControl, kind: 'FlowSchema', plural: 'flowschemas' },
  { ...flowControl, kind: 'PriorityLevelConfiguration', plural: 'prioritylevelconfigurations' },
  { ...clusterScoped, group: 'scheduling.k8s.io', kind: 'PriorityClass', plural: 'priorityclasses' },
];

/** The objects of the hub, then those of the member. */
async function objectsOf(fleet: RunningFleet): Promise<KubeObject[][]> {
  while (!fleet.isAtRest()) await fleet.hub.server.turns.next();
  const clients = [await fleet.hub.client(), ...[...fleet.members.values()].map((member) => member.client())];
  return Promise.all(
    clients.map(async (client) => {
      const lists = await Promise.all(kinds.map((kind) => client.list(kind)));
      await client.close();
      return lists.flatMap(({ items }) => items);
    }),
  );
}

function definitionsOf([ofHub = []]: readonly KubeObject[][]): KubeObject[] {
  return ofHub.filter(({ kind }) => kind === customResourceDefinitions.kind);
}

const varying = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'time',
  'lastTransitionTime',
  'lastHeartbeatTime',
  'data',
]);

/** Without what differs between two clusters. Managers are in the order of their time. */
function comparable(object: KubeObject): string {
  const { managedFields = [], ...metadata } = object.metadata;
  const managers = managedFields.toSorted(({ manager: one = '' }, { manager: other = '' }) => (one < other ? -1 : 1));
  const sorted = { ...object, metadata: { ...metadata, managedFields: managers } };
  const text = JSON.stringify(sorted, (field, value: unknown) => (varying.has(field) ? typeof value : value));
  return text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'a UID');
}

describe('a fleet with prepared objects', { timeout: 60_000 }, () => {
  let prepared: Awaited<ReturnType<typeof prepareHub>>;
  let fleets: RunningFleet[];
  let created: KubeObject[][];
  let stored: KubeObject[][];
  let again: KubeObject[][];
  before(async () => {
    prepared = await prepareHub();
    const start = (read: ReadPrepared): Promise<RunningFleet> => startFleet({ members: ['one'], prepared: read });
    const read: ReadPrepared = async (part) => prepared[part];
    fleets = await Promise.all([start(async () => undefined), start(read), start(read)]);
    [created = [], stored = [], again = []] = await Promise.all(fleets.map(objectsOf));
  });
  after(() => Promise.all(fleets.map((fleet) => fleet.stop())));

  for (const [index, name] of ['hub', 'member'].entries()) {
    test(`has the objects on its ${name} that requests would create`, () => {
      assert.ok((created[index]?.length ?? 0) > 150);
      assert.deepEqual(stored[index]?.map(comparable), created[index]?.map(comparable));
    });
  }

  test('writes its definitions once, in one transaction', () => {
    const revisions = definitionsOf(stored).map(({ metadata }) => Number(metadata.resourceVersion));
    const [first = 0] = revisions;
    assert.ok(revisions.length > 20);
    assert.deepEqual(
      revisions,
      Array.from(revisions, (_, index) => first + index),
    );
  });

  test('publishes its own root certificate', () => {
    const authority = fleets[1]?.hub.access.cluster['certificate-authority-data'] ?? '';
    const published = stored.flat().filter(({ metadata }) => metadata.name === 'kube-root-ca.crt') as ConfigMap[];
    assert.ok(published.length >= 8);
    for (const { data } of published) {
      assert.equal(Buffer.from(data?.['ca.crt'] ?? '').toString('base64'), authority);
    }
  });

  test('has UIDs and times of its own', () => {
    const objects = [...(stored[0] ?? []), ...(again[0] ?? [])];
    assert.equal(new Set(objects.map(({ metadata }) => metadata.uid)).size, objects.length);
    const age = Date.now() - Math.min(...objects.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')));
    assert.ok(age < 60_000, `created ${age} ms ago`);
  });

  test('completes a start that ended between two parts', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'flotilla-prepared-'));
    const interrupted: ReadPrepared = async (part) => {
      if (part !== 'server') throw new Error('interrupted');
      return prepared.server;
    };
    await assert.rejects(startHub({ dataDirectory, prepared: interrupted }), /interrupted/);
    const hub = await startHub({ dataDirectory, prepared: async (part) => prepared[part] });
    const client = await hub.client();
    const { items } = await client.list(customResourceDefinitions);
    const established = items.filter(({ status }) => JSON.stringify(status).includes('"Established","status":"True"'));
    assert.equal(established.length, definitionsOf(stored).length);
    await client.close();
    await hub.stop();
    await rm(dataDirectory, { recursive: true, force: true });
  });
});
