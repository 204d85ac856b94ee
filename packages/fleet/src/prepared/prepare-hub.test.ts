import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  apiServices,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  namespaces,
  roleBindings,
  roles,
  serviceAccounts,
  type Kind,
  type KubeObject,
} from '@flotilla/kube';
import { startHub, type RunningHub } from '../start-hub.ts';
import { prepareHub } from './prepare-hub.ts';

const flowControl = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', namespaced: false } as const;

const kinds: readonly Kind[] = [
  apiServices,
  clusterRoleBindings,
  clusterRoles,
  configMaps,
  customResourceDefinitions,
  namespaces,
  roleBindings,
  roles,
  serviceAccounts,
  { ...flowControl, kind: 'FlowSchema', plural: 'flowschemas' },
  { ...flowControl, kind: 'PriorityLevelConfiguration', plural: 'prioritylevelconfigurations' },
  { ...flowControl, group: 'scheduling.k8s.io', kind: 'PriorityClass', plural: 'priorityclasses' },
];

async function objectsOf(hub: RunningHub): Promise<KubeObject[]> {
  while (!hub.isAtRest()) await hub.server.turns.next();
  const client = await hub.client();
  const lists = await Promise.all(kinds.map((kind) => client.list(kind)));
  await client.close();
  return lists.flatMap(({ items }) => items);
}

const varying = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'lastTransitionTime', 'data']);

/** Without what differs between two clusters. Managers are in the order of their time. */
function comparable(object: KubeObject): string {
  const { managedFields = [], ...metadata } = object.metadata;
  const managers = managedFields.toSorted(({ manager: one = '' }, { manager: other = '' }) => (one < other ? -1 : 1));
  const sorted = { ...object, metadata: { ...metadata, managedFields: managers } };
  return JSON.stringify(sorted, (field, value: unknown) => (varying.has(field) ? typeof value : value));
}

describe('a hub with prepared objects', { timeout: 60_000 }, () => {
  let hubs: RunningHub[];
  let created: KubeObject[];
  let stored: KubeObject[];
  let again: KubeObject[];
  before(async () => {
    const prepared = await prepareHub();
    const start = (source?: typeof prepared): Promise<RunningHub> => startHub({ prepared: async () => source });
    hubs = await Promise.all([start(), start(prepared), start(prepared)]);
    const objects = await Promise.all(hubs.map(objectsOf));
    [created = [], stored = [], again = []] = objects;
  });
  after(() => Promise.all(hubs.map((hub) => hub.stop())));

  test('has the objects of one that creates them with requests', () => {
    assert.ok(created.length > 200, `${created.length} objects`);
    assert.deepEqual(stored.map(comparable), created.map(comparable));
  });

  test('writes its definitions once, in one transaction', () => {
    const revisions = stored
      .filter(({ kind }) => kind === customResourceDefinitions.kind)
      .map(({ metadata }) => Number(metadata.resourceVersion));
    const [first = 0] = revisions;
    assert.deepEqual(
      revisions,
      Array.from(revisions, (_, index) => first + index),
    );
  });

  test('has UIDs and times of its own', () => {
    const uids = [...stored, ...again].map(({ metadata }) => metadata.uid);
    assert.equal(new Set(uids).size, uids.length);
    const age = Date.now() - Math.min(...stored.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')));
    assert.ok(age < 60_000, `created ${age} ms ago`);
  });
});
