import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { appliedWorks, hubDefinitions, memberDefinitions, memberNamespace, works, type Work } from '@flotilla/api';
import { createClient, fixedCredentials, httpTransport, type Client } from '@flotilla/client';
import { startServer, type RunningServer } from '@flotilla/fleet';
import {
  apiVersionOf,
  MetricsRegistry,
  silentLogger,
  type JsonObject,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { startApplier, type Applier } from './start-applier.ts';
import { berth, berths, configMap, deployment, kinds, conditionsOf } from './applier.testing.ts';

const namespace = memberNamespace('paris');

/** No timer fires during these tests, so every change is noticed through a watch. */
const hour = 3_600_000;
const requeue = {
  fixedAttempts: 1,
  fixedMs: hour,
  initialSlowMs: hour,
  slowBase: 1.2,
  maxSlowMs: hour,
  fastBase: 1.5,
  maxFastMs: hour,
  skipsToFastWhenSettled: true,
};

describe('an applier over sockets', { timeout: 60_000 }, () => {
  let servers: RunningServer[];
  let hub: Client;
  let member: Client;
  let clients: Client[];
  let applier: Applier;

  before(async () => {
    servers = [await startServer({ memory: true }), await startServer({ memory: true })];
    const [hubServer, memberServer] = servers as [RunningServer, RunningServer];
    hub = clientOf(hubServer);
    member = clientOf(memberServer);
    const ours = { hub: clientOf(hubServer), member: clientOf(memberServer) };
    clients = [hub, member, ours.hub, ours.member];
    await install(hub, await hubDefinitions());
    await install(member, await memberDefinitions());
    await create(hub, kinds.namespace, { metadata: { name: namespace } });
    await create(member, kinds.namespace, { metadata: { name: 'apps' } });
    applier = startApplier({
      name: 'paris',
      ...ours,
      clock: systemClock,
      random: Math.random,
      logger: silentLogger,
      metrics: new MetricsRegistry(),
      requeue,
    });
    applier.join();
  });
  after(async () => {
    await applier.stop();
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(servers.map((server) => server.stop()));
  });

  async function createWork(name: string, manifests: readonly JsonObject[], metadata: JsonObject = {}): Promise<void> {
    await create(hub, works, { metadata: { name, namespace, ...metadata }, spec: { workload: { manifests } } });
  }

  const hasConditions =
    (...expected: string[]) =>
    (work: Work | undefined) =>
      (work?.status?.manifestConditions ?? []).length > 0 && conditionsOf(work as Work).join() === expected.join();

  const workUntil = (name: string, is: (work: Work | undefined) => boolean) =>
    until(hub, works, { namespace, name }, is);
  const isBlue = (object: KubeObject | undefined) => JSON.stringify(object?.['data']) === '{"colour":"blue"}';
  const isDeleted = (object: KubeObject | undefined) => object === undefined;

  test('applies a Work and reports its status', async () => {
    await createWork('simple', [configMap('simple', { colour: 'blue' })]);
    await workUntil('simple', hasConditions('Applied=True Applied', 'Available=True Available'));
    const object = await member.get(kinds.configMap, { namespace: 'apps', name: 'simple' });
    assert.deepEqual(object['data'], { colour: 'blue' });
  });

  test('repairs a drift without a timer', async () => {
    await createWork('drift', [configMap('drift', { colour: 'blue' })]);
    await workUntil('drift', hasConditions('Applied=True Applied', 'Available=True Available'));
    const key = { namespace: 'apps', name: 'drift' };
    await member.patch(kinds.configMap, key, { type: 'merge', value: { data: { colour: 'green' } } });
    await until(member, kinds.configMap, key, isBlue);
  });

  test('reports an object that becomes available', async () => {
    await createWork('web', [deployment('web')]);
    await workUntil('web', hasConditions('Applied=True Applied @1', 'Available=False ManifestNotAvailableYet @1'));
    const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const key = { namespace: 'apps', name: 'web' };
    await member.patch(kinds.deployment, key, { type: 'merge', value: { status } }, { subresource: 'status' });
    await workUntil('web', hasConditions('Applied=True Applied @1', 'Available=True Available @1'));
  });

  test('applies a custom resource as soon as its definition exists', async () => {
    await createWork('sea', [berth('north', { depth: 3 })]);
    await workUntil('sea', hasConditions('Applied=False DecodingErred'));
    await create(member, kinds.definition, berths);
    await workUntil('sea', hasConditions('Applied=True Applied @1', 'Available=True NotTrackable @1'));
  });

  test('deletes the objects of a deleted Work', async () => {
    await createWork('gone', [configMap('gone')]);
    await workUntil('gone', hasConditions('Applied=True Applied', 'Available=True Available'));
    await hub.delete(works, { namespace, name: 'gone' });
    await workUntil('gone', isDeleted);
    await until(member, kinds.configMap, { namespace: 'apps', name: 'gone' }, isDeleted);
    await until(member, appliedWorks, { name: 'gone' }, isDeleted);
  });

  test('keeps the objects of an abandoned Work', async () => {
    await createWork('left', [configMap('left')], {
      annotations: { 'kubernetes-fleet.io/delete-propagation': 'Abandon' },
    });
    await workUntil('left', hasConditions('Applied=True Applied', 'Available=True Available'));
    await hub.delete(works, { namespace, name: 'left' });
    await workUntil('left', isDeleted);
    const object = await member.get(kinds.configMap, { namespace: 'apps', name: 'left' });
    assert.equal(object.metadata.ownerReferences, undefined);
  });

  test('removes the finalizers of Works when the member leaves', async () => {
    await createWork('mine', [configMap('mine')]);
    await workUntil('mine', hasConditions('Applied=True Applied', 'Available=True Available'));
    await applier.leave();
    const { items } = await hub.list(works, { namespace });
    assert.ok(items.length > 0);
    assert.ok(items.every(({ metadata }) => metadata.finalizers === undefined));
    applier.join();
    await workUntil('mine', (work) => work?.metadata.finalizers?.length === 1);
  });
});

function clientOf({ url, credentials: { token, server } }: RunningServer): Client {
  const identity = { authorization: `Bearer ${token}`, authority: server.authority };
  return createClient(httpTransport({ server: url, credentials: fixedCredentials(identity) }));
}

function create<T extends KubeObject>(client: Client, kind: Kind<T>, object: object): Promise<T> {
  return client.create(kind, { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object } as unknown as T);
}

/** Resolves when all definitions are Established. */
async function install(client: Client, definitions: Awaited<ReturnType<typeof hubDefinitions>>): Promise<void> {
  for (const definition of definitions) {
    await create(client, kinds.definition, definition);
    const isEstablished = (object: KubeObject | undefined): boolean =>
      JSON.stringify(object?.['status'] ?? {}).includes('"Established"');
    await until(client, kinds.definition, { name: definition.metadata.name ?? '' }, isEstablished);
  }
}

/** Watches one object until `is` returns true. */
async function until<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  { namespace: where, name }: ObjectKey,
  is: (object: T | undefined) => boolean,
): Promise<void> {
  const one = { ...(where !== undefined && { namespace: where }), fieldSelector: `metadata.name=${name}` };
  const { items, resourceVersion } = await client.list(kind, one);
  if (is(items[0])) return;
  const done = new AbortController();
  for await (const { type, object } of client.watch(kind, { ...one, resourceVersion, signal: done.signal })) {
    if (!is(type === 'DELETED' ? undefined : object)) continue;
    done.abort();
    return;
  }
  assert.fail(`${kind.kind} ${name} never reached the expected state`);
}
