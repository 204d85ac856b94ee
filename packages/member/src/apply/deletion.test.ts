import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { appliedWorks, works } from '@flotilla/api';
import { silentLogger } from '@flotilla/kube';
import { startApplier } from './start-applier.ts';
import { configMap, kinds, namespace, conditionsOf, TestApplier } from './applier.testing.ts';

const minute = 60_000;
const foreground = 'foregroundDeletion';

describe('a deleted Work', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  const remove = (name = 'web') => fleet.hub.client.delete(works, { namespace, name });
  const isDeleted = async (name = 'web') => (await fleet.hub.find(works, { namespace, name })) === undefined;

  test('is removed with its objects before any timer', async () => {
    await fleet.createWork('web', [configMap('settings')]);
    const before = fleet.clock.now();
    await remove();
    await fleet.settle();
    assert.equal(await fleet.onMember(kinds.configMap, 'settings'), undefined);
    assert.equal(await fleet.member.find(appliedWorks, { name: 'web' }), undefined);
    assert.ok(await isDeleted());
    assert.ok(fleet.clock.now() - before < 1000);
  });

  test('stays until all its objects are deleted', async () => {
    await fleet.createWork('web', [configMap('settings', {}, { finalizers: ['example.com/hold'] })]);
    await remove();
    await fleet.settle();
    assert.equal(await isDeleted(), false);
    assert.deepEqual((await fleet.appliedWork('web')).metadata.finalizers, [foreground]);
    await fleet.changeOnMember(kinds.configMap, 'settings', { metadata: { finalizers: null } });
    await fleet.settle();
    assert.ok(await isDeleted());
  });

  test('leaves its objects on the member if it is abandoned', async () => {
    const annotations = { 'kubernetes-fleet.io/delete-propagation': 'Abandon' };
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })], { metadata: { annotations } });
    await remove();
    await fleet.settle();
    assert.ok(await isDeleted());
    assert.equal(await fleet.member.find(appliedWorks, { name: 'web' }), undefined);
    const left = await fleet.onMember(kinds.configMap, 'settings');
    assert.deepEqual(left?.['data'], { colour: 'blue' });
    assert.equal(left.metadata.ownerReferences, undefined);
  });

  test('is released at once if it has no AppliedWork', async () => {
    await fleet.createWork('web', []);
    await fleet.applier.stop();
    await fleet.member.client.delete(appliedWorks, { name: 'web' });
    await remove();
    await fleet.restart();
    assert.ok(await isDeleted());
  });

  test('keeps objects with other owners', async () => {
    await fleet.createWork('web', [configMap('settings')], { strategy: { allowCoOwnership: true } });
    const parent = await fleet.member.client.create(kinds.configMap, configMap('parent'));
    const mine = (await fleet.onMember(kinds.configMap, 'settings'))?.metadata.ownerReferences ?? [];
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: parent.metadata.uid ?? '' };
    await fleet.changeOnMember(kinds.configMap, 'settings', { metadata: { ownerReferences: [...mine, theirs] } });
    await fleet.settle();
    await remove();
    await fleet.settle();
    const left = await fleet.onMember(kinds.configMap, 'settings');
    assert.deepEqual(left?.metadata.ownerReferences, [theirs]);
    assert.ok(await isDeleted());
  });

  test('is not applied again during its deletion', async () => {
    await fleet.createWork('web', [configMap('settings', {}, { finalizers: ['example.com/hold'] })]);
    await remove();
    await fleet.settle();
    fleet.requests.member.take();
    await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: 'green' } });
    await fleet.clock.advance(minute);
    assert.deepEqual(fleet.requests.member.take(), []);
  });

  test('can be created again under the same name', async () => {
    await fleet.createWork('web', [configMap('settings', { round: 'first' })]);
    await remove();
    await fleet.settle();
    const work = await fleet.createWork('web', [configMap('settings', { round: 'second' })]);
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { round: 'second' });
  });

  test('is forgotten if another client removed the finalizer', async () => {
    await fleet.createWork('web', [configMap('settings', {}, { finalizers: ['example.com/hold'] })]);
    await remove();
    await fleet.settle();
    const work = await fleet.work('web');
    await fleet.hub.client.update(works, { ...work, metadata: { ...work.metadata, finalizers: [] } });
    await fleet.settle();
    assert.ok(await isDeleted());
    assert.ok(fleet.applier.isAtRest());
  });
});

describe('a deletion that is stuck', () => {
  test('is no longer blocked by objects with other owners after the wait', async () => {
    const fleet = await TestApplier.start({ isBare: true, limits: { deletionWaitMs: 2 * minute } });
    const strategy = { allowCoOwnership: true };
    await fleet.createWork('web', [configMap('shared'), configMap('alone')], { strategy });
    const parent = await fleet.member.client.create(kinds.configMap, configMap('parent'));
    const mine = (await fleet.onMember(kinds.configMap, 'shared'))?.metadata.ownerReferences ?? [];
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: parent.metadata.uid ?? '' };
    await fleet.changeOnMember(kinds.configMap, 'shared', { metadata: { ownerReferences: [...mine, theirs] } });
    await fleet.settle();

    await fleet.hub.client.delete(works, { namespace, name: 'web' });
    await fleet.settle();
    const blocks = async (name: string) =>
      (await fleet.onMember(kinds.configMap, name))?.metadata.ownerReferences?.[0]?.blockOwnerDeletion;
    await fleet.clock.advance(2 * minute - 2_000);
    assert.equal(await blocks('shared'), true);
    await fleet.clock.advance(3_000);
    assert.equal(await blocks('shared'), false);
    assert.equal(await blocks('alone'), true);

    fleet.requests.member.take();
    await fleet.clock.advance(minute);
    assert.deepEqual(fleet.requests.member.takeWrites(), []);
    // The garbage collector does this on a real member.
    const applied = await fleet.appliedWork('web');
    await fleet.member.client.update(appliedWorks, { ...applied, metadata: { ...applied.metadata, finalizers: [] } });
    await fleet.settle();
    assert.equal(await fleet.hub.find(works, { namespace, name: 'web' }), undefined);
    await fleet.stop();
  });
});

describe('a member that leaves', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  test('releases its Works and keeps their objects', async () => {
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
    await fleet.createWork('more', [configMap('more')]);
    await fleet.applier.leave();
    for (const name of ['web', 'more']) {
      assert.equal((await fleet.work(name)).metadata.finalizers, undefined);
      assert.ok(await fleet.appliedWork(name));
    }
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
    assert.equal(fleet.watchCount(), 0);
    assert.ok(fleet.applier.isAtRest());
  });

  test('does not apply changes of Works any more', async () => {
    await fleet.applier.leave();
    await fleet.hub.create(works, {
      metadata: { name: 'late', namespace },
      spec: { workload: { manifests: [configMap('late')] } },
    });
    await fleet.clock.advance(minute);
    assert.equal(await fleet.onMember(kinds.configMap, 'late'), undefined);
    assert.equal((await fleet.work('late')).metadata.finalizers, undefined);
  });

  test('releases Works that an earlier agent had applied', async () => {
    await fleet.createWork('web', [configMap('settings')]);
    await fleet.applier.stop();
    const { clock, metrics } = fleet;
    const [hub, member] = [fleet.hub.client, fleet.member.client];
    const next = startApplier({ name: 'paris', hub, member, clock, metrics, random: () => 0.5, logger: silentLogger });
    await next.leave();
    assert.equal((await fleet.work('web')).metadata.finalizers, undefined);
    await next.stop();
  });

  test('and joins again reuses its objects, and applies changes made meanwhile', async () => {
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
    const before = await fleet.appliedWork('web');
    await fleet.applier.leave();
    await fleet.change('web', (work) => ({
      ...work,
      spec: { workload: { manifests: [configMap('settings', { colour: 'red' })] } },
    }));
    await fleet.changeOnMember(kinds.configMap, 'settings', { data: { theirs: 'yes' } });
    fleet.applier.join();
    await fleet.settle();
    const work = await fleet.work('web');
    assert.deepEqual(work.metadata.finalizers, ['kubernetes-fleet.io/work-cleanup']);
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
    assert.equal((await fleet.appliedWork('web')).metadata.uid, before.metadata.uid);
    const object = await fleet.onMember(kinds.configMap, 'settings');
    assert.deepEqual(object?.['data'], { colour: 'red', theirs: 'yes' });
  });

  test('and joins again takes over objects of a Work that was deleted meanwhile', async () => {
    await fleet.createWork('old', [configMap('settings', { colour: 'blue' })]);
    await fleet.applier.leave();
    await fleet.hub.client.delete(works, { namespace, name: 'old' });
    fleet.applier.join();
    await fleet.settle();
    const work = await fleet.createWork('new', [configMap('settings', { colour: 'red' })]);
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
    const owners = (await fleet.onMember(kinds.configMap, 'settings'))?.metadata.ownerReferences;
    assert.deepEqual(
      owners?.map(({ name }) => name),
      ['new'],
    );
  });
});

describe('an applier', () => {
  test('does nothing before it joins', async () => {
    const fleet = await TestApplier.start({ joins: false });
    await fleet.hub.create(works, {
      metadata: { name: 'web', namespace },
      spec: { workload: { manifests: [configMap('settings')] } },
    });
    await fleet.clock.advance(minute);
    assert.deepEqual(fleet.requests.hub.take(), []);
    assert.deepEqual(fleet.requests.member.take(), []);
    fleet.applier.join();
    fleet.applier.join();
    await fleet.settle();
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
    await fleet.stop();
  });

  test('does not join after it was stopped', async () => {
    const fleet = await TestApplier.start();
    await fleet.applier.stop();
    fleet.applier.join();
    assert.ok(fleet.applier.isAtRest());
    await fleet.hub.create(works, {
      metadata: { name: 'web', namespace },
      spec: { workload: { manifests: [configMap('settings')] } },
    });
    await fleet.clock.advance(minute);
    assert.equal(await fleet.onMember(kinds.configMap, 'settings'), undefined);
    await fleet.stop();
  });
});
