import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { silentLogger, type Outline } from '@flotilla/kube';
import { LoopTurns } from '@flotilla/timing';
import { ManualClock, startTestServer, type TestServer } from '@flotilla/testkit';
import type { CollectionListener, Collections } from '../collections/collections.ts';
import { kinds } from '../kinds.ts';
import { createConfigMap, namesOf, ownerOf } from '../objects.testing.ts';
import { Collector } from './collector.ts';
import { Strays } from './absent-owners.ts';

describe('the collector', () => {
  let house: TestServer;
  before(async () => {
    house = await startTestServer({ housekeeping: true });
  });
  after(() => house.stop());

  const there = (name: string, namespace = 'default') => house.find(kinds.configMap, { namespace, name });
  const remove = (name: string, propagationPolicy?: 'Foreground' | 'Orphan' | 'Background') =>
    house.client.delete(
      kinds.configMap,
      { namespace: 'default', name },
      propagationPolicy ? { propagationPolicy } : {},
    );

  test('removes what an owner leaves behind, and what that owned', async () => {
    const owner = await createConfigMap(house, 'b-owner');
    const child = await createConfigMap(house, 'b-child', { ownerReferences: [ownerOf(owner)] });
    await createConfigMap(house, 'b-grandchild', { ownerReferences: [ownerOf(child)] });
    await house.settle();
    assert.ok(await there('b-grandchild'));
    await remove('b-owner');
    await house.settle();
    assert.deepEqual(await namesOf(house, kinds.configMap), []);
  });

  test('keeps what has another owner, which is the only one it remembers', async () => {
    const one = await createConfigMap(house, 'k-one');
    const two = await createConfigMap(house, 'k-two');
    await createConfigMap(house, 'k-child', { ownerReferences: [ownerOf(one), ownerOf(two)] });
    await remove('k-one');
    await house.settle();
    assert.deepEqual((await there('k-child'))?.metadata.ownerReferences, [ownerOf(two)]);
    await remove('k-two');
    await house.settle();
    assert.equal(await there('k-child'), undefined);
  });

  test('lets an owner wait for those that block it', async () => {
    const owner = await createConfigMap(house, 'f-owner');
    const blocking = { blockOwnerDeletion: true };
    await createConfigMap(house, 'f-child', { ownerReferences: [ownerOf(owner, blocking)], finalizers: ['x.y/z'] });
    await remove('f-owner', 'Foreground');
    await house.settle();
    assert.deepEqual((await there('f-owner'))?.metadata.finalizers, ['foregroundDeletion']);
    assert.ok((await there('f-child'))?.metadata.deletionTimestamp);
    const key = { namespace: 'default', name: 'f-child' };
    await house.client.patch(kinds.configMap, key, { type: 'merge', value: { metadata: { finalizers: null } } });
    await house.settle();
    assert.equal(await there('f-owner'), undefined);
    assert.equal(await there('f-child'), undefined);
  });

  test('does not let an owner wait for those that do not block it', async () => {
    const owner = await createConfigMap(house, 'n-owner');
    await createConfigMap(house, 'n-child', { ownerReferences: [ownerOf(owner)], finalizers: ['x.y/z'] });
    await remove('n-owner', 'Foreground');
    await house.settle();
    assert.equal(await there('n-owner'), undefined);
    const key = { namespace: 'default', name: 'n-child' };
    await house.client.patch(kinds.configMap, key, { type: 'merge', value: { metadata: { finalizers: null } } });
    await house.settle();
    assert.equal(await there('n-child'), undefined);
  });

  test('makes orphans where they are wanted', async () => {
    const owner = await createConfigMap(house, 'o-owner');
    await createConfigMap(house, 'o-child', { ownerReferences: [ownerOf(owner)] });
    await remove('o-owner', 'Orphan');
    await house.settle();
    assert.equal(await there('o-owner'), undefined);
    assert.equal((await there('o-child'))?.metadata.ownerReferences, undefined);
    await remove('o-child');
  });

  test('resolves circles of owners that wait for each other', async () => {
    const one = await createConfigMap(house, 'c-one');
    const blocking = { blockOwnerDeletion: true };
    const two = await createConfigMap(house, 'c-two', { ownerReferences: [ownerOf(one, blocking)] });
    const key = { namespace: 'default', name: 'c-one' };
    const value = { metadata: { ownerReferences: [ownerOf(two, blocking)] } };
    await house.client.patch(kinds.configMap, key, { type: 'merge', value });
    await house.settle();
    await remove('c-one', 'Foreground');
    await house.settle();
    assert.deepEqual(await namesOf(house, kinds.configMap), []);
  });

  test('finds owners in no namespace', async () => {
    const owner = await house.create(kinds.namespace, { metadata: { name: 'harbour' } });
    await createConfigMap(house, 's-child', { ownerReferences: [ownerOf(owner)] });
    await house.settle();
    assert.ok(await there('s-child'));
    await house.client.delete(kinds.namespace, { name: 'harbour' });
    await house.settle();
    assert.equal(await there('s-child'), undefined);
  });

  test('removes what never had the owner that it names', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'nobody', uid: 'no-such-uid' }];
    await createConfigMap(house, 'd-child', { ownerReferences });
    await house.settle();
    assert.equal(await there('d-child'), undefined);
  });

  test('looks for few of the owners of an object in all namespaces', async () => {
    const search = test.mock.method(Strays.prototype, 'isElsewhere');
    const ownerReferences = Array.from({ length: 300 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: `missing-${index}`,
      uid: `missing-${index}`,
    }));
    await createConfigMap(house, 'w-child', { ownerReferences });
    await house.settle();
    search.mock.restore();
    assert.equal(await there('w-child'), undefined);
    assert.ok(search.mock.callCount() <= 10, `${search.mock.callCount()} searches`);
  });

  test('removes what names an owner of another namespace, and says why', async () => {
    const owner = await createConfigMap(house, 'x-owner');
    const metadata = { name: 'x-child', namespace: 'kube-public', ownerReferences: [ownerOf(owner)] };
    await house.create(kinds.configMap, { metadata });
    await house.settle();
    assert.equal(await there('x-child', 'kube-public'), undefined);
    const { items } = await house.client.list(kinds.event, { namespace: 'kube-public' });
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

  test('leaves alone what is in no namespace and names an owner in one', async () => {
    const owner = await createConfigMap(house, 'm-owner');
    await house.create(kinds.clusterRole, {
      metadata: { name: 'm-role', ownerReferences: [ownerOf(owner)] },
      rules: [],
    });
    await remove('m-owner');
    await house.settle();
    assert.ok(await house.find(kinds.clusterRole, { name: 'm-role' }));
  });

  test('leaves alone what names an owner of a kind that nobody serves', async () => {
    const ownerReferences = [{ apiVersion: 'sea/v1', kind: 'Whale', name: 'moby', uid: 'u' }];
    await createConfigMap(house, 'w-child', { ownerReferences });
    await house.settle();
    assert.ok(await there('w-child'));
    await remove('w-child');
  });
});

test('the collector parses an owned object when it is new and when its owners changed, and not else', async () => {
  const clock = new ManualClock();
  const heard: CollectionListener[] = [];
  const collections = {
    listen: (listener: CollectionListener) => heard.push(listener),
    kindOf: () => undefined,
    outline: () => Promise.resolve(undefined),
    get: () => Promise.resolve(undefined),
  } as unknown as Collections;
  const collector = new Collector({
    client: {} as Client,
    clock,
    turns: new LoopTurns(),
    logger: silentLogger,
    collections,
    report: () => assert.fail('nothing is wrong'),
  });
  let parsed = 0;
  const change = (hasSameOwners: boolean, more: Partial<Outline> = {}): void => {
    heard[0]?.changed(kinds.configMap, {
      key: { namespace: 'default', name: 'a' },
      isGone: false,
      isLive: true,
      outline: { uid: 'a', ownerUids: ['o'], ...more },
      now: () => {
        parsed++;
        const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' }];
        return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'a', ownerReferences } };
      },
      old: () => assert.fail('nobody needs the state before'),
      hasSameOwners: () => hasSameOwners,
    });
  };
  change(false);
  assert.equal(parsed, 1);
  change(true);
  change(true, { finalizers: ['x.y/z'] });
  assert.equal(parsed, 1);
  change(false);
  assert.equal(parsed, 2);
  change(true, { finalizers: ['foregroundDeletion'], deletionTimestamp: '2026-01-01T00:00:00Z' });
  assert.equal(parsed, 3, 'it waits for its own dependents from now on');
  await collector.stop();
});
