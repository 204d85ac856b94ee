import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { silentLogger, type Kind, type ObjectKey, type Outline } from '@flotilla/kube';
import type { ObjectChange } from '@flotilla/runtime';
import { LoopTurns } from '@flotilla/timing';
import { ManualClock, startTestServer, type TestServer } from '@flotilla/testkit';
import type { CollectionListener, Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';
import { createConfigMap, namesOf, ownerOf } from '../objects.testing.ts';
import { Collector } from './collector.ts';
import { AbsentOwners } from './absent-owners.ts';

describe('the garbage collector', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ housekeeping: true });
  });
  after(() => server.stop());

  const findConfigMap = (name: string, namespace = 'default') => server.find(kinds.configMap, { namespace, name });
  const remove = (name: string, propagationPolicy?: 'Foreground' | 'Orphan' | 'Background') =>
    server.client.delete(
      kinds.configMap,
      { namespace: 'default', name },
      propagationPolicy ? { propagationPolicy } : {},
    );

  test('deletes the dependents of a deleted owner, and their dependents', async () => {
    const owner = await createConfigMap(server, 'b-owner');
    const child = await createConfigMap(server, 'b-child', { ownerReferences: [ownerOf(owner)] });
    await createConfigMap(server, 'b-grandchild', { ownerReferences: [ownerOf(child)] });
    await server.settle();
    assert.ok(await findConfigMap('b-grandchild'));
    await remove('b-owner');
    await server.settle();
    assert.deepEqual(await namesOf(server, kinds.configMap), []);
  });

  test('keeps an object with another owner, and removes the reference to the deleted one', async () => {
    const one = await createConfigMap(server, 'k-one');
    const two = await createConfigMap(server, 'k-two');
    await createConfigMap(server, 'k-child', { ownerReferences: [ownerOf(one), ownerOf(two)] });
    await remove('k-one');
    await server.settle();
    assert.deepEqual((await findConfigMap('k-child'))?.metadata.ownerReferences, [ownerOf(two)]);
    await remove('k-two');
    await server.settle();
    assert.equal(await findConfigMap('k-child'), undefined);
  });

  test('keeps an owner deleted in the foreground until no dependent blocks it', async () => {
    const owner = await createConfigMap(server, 'f-owner');
    const blocking = { blockOwnerDeletion: true };
    await createConfigMap(server, 'f-child', { ownerReferences: [ownerOf(owner, blocking)], finalizers: ['x.y/z'] });
    await remove('f-owner', 'Foreground');
    await server.settle();
    assert.deepEqual((await findConfigMap('f-owner'))?.metadata.finalizers, ['foregroundDeletion']);
    assert.ok((await findConfigMap('f-child'))?.metadata.deletionTimestamp);
    const key = { namespace: 'default', name: 'f-child' };
    await server.client.patch(kinds.configMap, key, { type: 'merge', value: { metadata: { finalizers: null } } });
    await server.settle();
    assert.equal(await findConfigMap('f-owner'), undefined);
    assert.equal(await findConfigMap('f-child'), undefined);
  });

  test('does not keep an owner for dependents that do not block it', async () => {
    const owner = await createConfigMap(server, 'n-owner');
    await createConfigMap(server, 'n-child', { ownerReferences: [ownerOf(owner)], finalizers: ['x.y/z'] });
    await remove('n-owner', 'Foreground');
    await server.settle();
    assert.equal(await findConfigMap('n-owner'), undefined);
    const key = { namespace: 'default', name: 'n-child' };
    await server.client.patch(kinds.configMap, key, { type: 'merge', value: { metadata: { finalizers: null } } });
    await server.settle();
    assert.equal(await findConfigMap('n-child'), undefined);
  });

  test('keeps dependents of an owner deleted with the policy Orphan, without their reference', async () => {
    const owner = await createConfigMap(server, 'o-owner');
    await createConfigMap(server, 'o-child', { ownerReferences: [ownerOf(owner)] });
    await remove('o-owner', 'Orphan');
    await server.settle();
    assert.equal(await findConfigMap('o-owner'), undefined);
    assert.equal((await findConfigMap('o-child'))?.metadata.ownerReferences, undefined);
    await remove('o-child');
  });

  test('deletes owners that block each other in a cycle', async () => {
    const one = await createConfigMap(server, 'c-one');
    const blocking = { blockOwnerDeletion: true };
    const two = await createConfigMap(server, 'c-two', { ownerReferences: [ownerOf(one, blocking)] });
    const key = { namespace: 'default', name: 'c-one' };
    const value = { metadata: { ownerReferences: [ownerOf(two, blocking)] } };
    await server.client.patch(kinds.configMap, key, { type: 'merge', value });
    await server.settle();
    await remove('c-one', 'Foreground');
    await server.settle();
    assert.deepEqual(await namesOf(server, kinds.configMap), []);
  });

  test('finds cluster-scoped owners', async () => {
    const owner = await server.create(kinds.namespace, { metadata: { name: 'harbour' } });
    await createConfigMap(server, 's-child', { ownerReferences: [ownerOf(owner)] });
    await server.settle();
    assert.ok(await findConfigMap('s-child'));
    await server.client.delete(kinds.namespace, { name: 'harbour' });
    await server.settle();
    assert.equal(await findConfigMap('s-child'), undefined);
  });

  test('deletes an object whose owner never existed', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'missing', uid: 'no-such-uid' }];
    await createConfigMap(server, 'd-child', { ownerReferences });
    await server.settle();
    assert.equal(await findConfigMap('d-child'), undefined);
  });

  test('searches all namespaces for few owners of an object', async () => {
    const search = test.mock.method(AbsentOwners.prototype, 'isInOtherNamespace');
    const ownerReferences = Array.from({ length: 300 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: `missing-${index}`,
      uid: `missing-${index}`,
    }));
    await createConfigMap(server, 'w-child', { ownerReferences });
    await server.settle();
    search.mock.restore();
    assert.equal(await findConfigMap('w-child'), undefined);
    assert.ok(search.mock.callCount() <= 10, `${search.mock.callCount()} searches`);
  });

  test('deletes an object that names an owner of another namespace, and records an event', async () => {
    const owner = await createConfigMap(server, 'x-owner');
    const metadata = { name: 'x-child', namespace: 'kube-public', ownerReferences: [ownerOf(owner)] };
    await server.create(kinds.configMap, { metadata });
    await server.settle();
    assert.equal(await findConfigMap('x-child', 'kube-public'), undefined);
    const { items } = await server.client.list(kinds.event, { namespace: 'kube-public' });
    assert.deepEqual(
      items.map(({ reason, message }) => [reason, message]),
      [
        [
          'OwnerRefInvalidNamespace',
          `ownerRef [v1/ConfigMap, namespace: kube-public, name: x-owner, uid: ${owner.metadata.uid}] ` +
            'does not exist in namespace "kube-public"',
        ],
      ],
    );
    await remove('x-owner');
  });

  test('leaves a cluster-scoped object alone that names a namespaced owner', async () => {
    const owner = await createConfigMap(server, 'm-owner');
    await server.create(kinds.clusterRole, {
      metadata: { name: 'm-role', ownerReferences: [ownerOf(owner)] },
      rules: [],
    });
    await remove('m-owner');
    await server.settle();
    assert.ok(await server.find(kinds.clusterRole, { name: 'm-role' }));
  });

  test('leaves an object alone whose owner is of an unserved kind', async () => {
    const ownerReferences = [{ apiVersion: 'sea/v1', kind: 'Whale', name: 'moby', uid: 'u' }];
    await createConfigMap(server, 'w-child', { ownerReferences });
    await server.settle();
    assert.ok(await findConfigMap('w-child'));
    await remove('w-child');
  });
});

test('the garbage collector parses an owned object only when it is new or its owners change, and reconciles it without owners', async () => {
  const clock = new ManualClock();
  const listeners: CollectionListener[] = [];
  const present = new Map<string, Outline>();
  const collections = {
    listen: (listener: CollectionListener) => listeners.push(listener),
    kindOf: () => kinds.configMap,
    viewedOutline: (_kind: Kind, { name }: ObjectKey) => present.get(name),
    outline: () => Promise.resolve(undefined),
    get: () => Promise.resolve(undefined),
  } as unknown as Collections;
  const collector = new Collector({
    client: {} as Client,
    clock,
    turns: new LoopTurns(),
    logger: silentLogger,
    collections,
    recordEvent: () => assert.fail('no event is expected'),
  });
  let parsed = 0;
  const change = (hasSameOwners: boolean, more: Partial<Outline> = {}): void => {
    listeners[0]?.changed(kinds.configMap, {
      key: { namespace: 'default', name: 'a' },
      isGone: false,
      isLive: true,
      outline: { uid: 'a', ownerUids: ['o'], ...more },
      now: () => {
        parsed++;
        const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' }];
        return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'a', ownerReferences } };
      },
      old: () => assert.fail('the old state is not needed'),
      hasSameOwners: () => hasSameOwners,
    });
  };
  present.set('a', { uid: 'a', ownerUids: ['o'] }).set('o', { uid: 'o' });
  change(false);
  assert.equal(parsed, 1);
  assert.equal(collector.isAtRest, true, 'its owner exists');
  change(true);
  change(true, { finalizers: ['x.y/z'] });
  assert.equal(parsed, 1);
  change(false);
  assert.equal(parsed, 2);
  present.delete('o');
  listeners[0]?.changed(kinds.configMap, goneOwner);
  assert.equal(collector.isAtRest, false, 'its owner is gone');
  change(true, { finalizers: ['foregroundDeletion'], deletionTimestamp: '2026-01-01T00:00:00Z' });
  assert.equal(parsed, 3, 'waits for its dependents from now on');
  await collector.stop();
});

const goneOwner: ObjectChange = {
  key: { namespace: 'default', name: 'o' },
  isGone: true,
  isLive: true,
  outline: { uid: 'o' },
  now: () => undefined,
  old: () => assert.fail('the old state is not needed'),
  hasSameOwners: () => false,
};
