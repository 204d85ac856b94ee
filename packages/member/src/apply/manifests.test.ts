import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { berth, berths, configMap, inWords, kinds, manifestOf, saidOf, TestApplier } from './applier.testing.ts';

describe('a manifest', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  test('of a kind that the member does not have says so, with all that is known', async () => {
    const work = await fleet.place('sea', [berth('north')]);
    assert.deepEqual(saidOf(work), ['Applied=False DecodingErred']);
    assert.deepEqual(manifestOf(work).identifier, {
      ordinal: 0,
      group: 'sea.example.com',
      version: 'v1',
      kind: 'Berth',
      namespace: 'apps',
      name: 'north',
    });
  });

  test('of such a kind is applied as soon as its definition appears', async () => {
    await fleet.place('sea', [berth('north', { depth: 3 })]);
    const before = fleet.clock.now();
    await fleet.member.client.create(kinds.definition, berths as KubeObject);
    await fleet.settle();
    assert.deepEqual(saidOf(await fleet.work('sea')), ['Applied=True Applied @1', 'Available=True NotTrackable @1']);
    assert.deepEqual((await fleet.onMember(kinds.berth, 'north'))?.['spec'], { depth: 3 });
    assert.ok(fleet.clock.now() - before < 1000);
  });

  test('is applied after the definition that comes in the same Work', async () => {
    await fleet.place('sea', [berth('north'), berths]);
    await fleet.settle();
    const work = await fleet.work('sea');
    assert.deepEqual(saidOf(work, 0), ['Applied=True Applied @1', 'Available=True NotTrackable @1']);
    assert.deepEqual(saidOf(work, 1), ['Applied=True Applied @1', 'Available=True Available @1']);
  });

  test('whose definition goes away is undecodable again', async () => {
    await fleet.member.client.create(kinds.definition, berths as KubeObject);
    await fleet.settle();
    await fleet.place('sea', [berth('north')]);
    await fleet.member.client.delete(kinds.definition, { name: 'berths.sea.example.com' });
    await fleet.settle();
    await fleet.clock.advance(1_000);
    await fleet.settle();
    assert.deepEqual(saidOf(await fleet.work('sea')), ['Applied=False DecodingErred']);
  });

  test('with a generateName is refused', async () => {
    const work = await fleet.place('web', [{ ...configMap(''), metadata: { generateName: 'a-', namespace: 'apps' } }]);
    assert.deepEqual(saidOf(work), ['Applied=False FoundGenerateName']);
    assert.deepEqual(work.status?.manifestConditions?.[0]?.identifier, {
      ordinal: 0,
      version: 'v1',
      kind: 'ConfigMap',
      resource: 'configmaps',
      namespace: 'apps',
    });
  });

  test('that repeats an earlier one is refused, and the first counts', async () => {
    const work = await fleet.place('web', [configMap('a', { place: 'first' }), configMap('a', { place: 'second' })]);
    assert.deepEqual(saidOf(work, 0), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual(saidOf(work, 1), ['Applied=False Duplicated']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'a'))?.['data'], { place: 'first' });
  });

  test('without a name cannot be found', async () => {
    const work = await fleet.place('web', [{ ...configMap(''), metadata: { namespace: 'apps' } }]);
    assert.deepEqual(saidOf(work), ['Applied=False FailedToFindObjInMemberCluster']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /has no name/);
  });

  test('that needs a namespace and names none fails to be applied', async () => {
    const work = await fleet.place('web', [{ ...configMap('a'), metadata: { name: 'a' } }]);
    assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /belongs into a namespace/);
  });

  test('that names a namespace where there can be none fails too', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', namespace: 'apps' } };
    const work = await fleet.place('web', [namespace]);
    assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
  });

  test('waits for a namespace that is not there, and is applied when it is', async () => {
    const lost = configMap('lost', {}, { namespace: 'nowhere' });
    const work = await fleet.place('web', [lost]);
    assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
    const before = fleet.clock.now();
    await fleet.member.create(kinds.namespace, { metadata: { name: 'nowhere' } });
    await fleet.settle();
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
    assert.ok(fleet.clock.now() - before < 1000);
  });

  test('in a namespace that terminates fails, and is applied when the namespace is back', async () => {
    await fleet.place('web', [configMap('a')]);
    const held = configMap('held', {}, { finalizers: ['example.com/hold'] }) as KubeObject;
    await fleet.member.client.create(kinds.configMap, held);
    await fleet.member.client.delete(kinds.namespace, { name: 'apps' });
    await fleet.settle();
    const work = await fleet.work('web');
    assert.deepEqual(saidOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /being terminated/);
    await fleet.meddle(kinds.configMap, 'held', { metadata: { finalizers: null } });
    await fleet.clock.advance(5_000);
    await fleet.member.create(kinds.namespace, { metadata: { name: 'apps' } });
    await fleet.clock.advance(20_000);
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });
});

describe('a manifest from a hub that takes anything', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start({ isHubLenient: true });
  });
  afterEach(() => fleet.stop());

  const unreadable: Record<string, JsonObject> = {
    'has no kind': { apiVersion: 'v1', metadata: { name: 'a', namespace: 'apps' } },
    'is empty': {},
    'has an apiVersion of three parts': { ...configMap('a'), apiVersion: 'a/b/c' },
    'has metadata that are none': { ...configMap('a'), metadata: 'none' },
  };
  for (const [name, manifest] of Object.entries(unreadable)) {
    test(`that ${name} is not decoded, and others are applied`, async () => {
      const work = await fleet.place('web', [manifest, configMap('good')]);
      assert.deepEqual(saidOf(work, 0), ['Applied=False DecodingErred']);
      assert.equal(manifestOf(work, 0).identifier.ordinal, 0);
      assert.deepEqual(saidOf(work, 1), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(inWords(work.status?.conditions), ['Applied=False SomeManifestsAreNotApplied @1']);
    });
  }

  test('that stays unreadable is not told of again and again', async () => {
    await fleet.place('web', [{ metadata: {} }, { metadata: {} }, configMap('good')]);
    fleet.asked.hub.take();
    await fleet.clock.advance(120_000);
    assert.deepEqual(fleet.asked.hub.takeWrites(), []);
  });

  test('may be as odd as it likes without hurting the others', async () => {
    const evil = JSON.parse(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"evil","namespace":"apps"},"data":{"constructor":"z"},"__proto__":{"x":1}}',
    ) as KubeObject;
    const work = await fleet.place('web', [evil, configMap('../../secrets/x'), configMap('..'), configMap('good')]);
    assert.deepEqual(saidOf(work, 0), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual(saidOf(work, 1), ['Applied=False FailedToFindObjInMemberCluster']);
    assert.deepEqual(saidOf(work, 2), ['Applied=False FailedToFindObjInMemberCluster']);
    assert.deepEqual(saidOf(work, 3), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'evil'))?.['data'], { constructor: 'z' });
  });

  test('that is nested deeper than anybody can walk is refused', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 600; level++) deep = { deeper: deep };
    const work = await fleet.place('web', [{ ...configMap('deep'), data: deep }]);
    assert.deepEqual(saidOf(work), ['Applied=False DecodingErred']);
  });
});

describe('a Work without manifests', () => {
  test('is applied and available', async () => {
    const fleet = await TestApplier.start();
    const work = await fleet.place('empty', []);
    assert.deepEqual(inWords(work.status?.conditions), [
      'Applied=True AllManifestsApplied @1',
      'Available=True AllManifestsAvailable @1',
    ]);
    assert.deepEqual(work.status?.manifestConditions ?? [], []);
    await fleet.stop();
  });
});

describe('manifests that a Work no longer has', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  const only = (...names: string[]) => ({ workload: { manifests: names.map((name) => configMap(name)) } });

  test('are removed from the member', async () => {
    await fleet.place('web', [configMap('one'), configMap('two')]);
    const work = await fleet.change('web', (before) => ({ ...before, spec: only('two') }));
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
    assert.equal(work.status?.manifestConditions?.length, 1);
    assert.deepEqual(manifestOf(work).identifier.ordinal, 0);
    assert.deepEqual(
      (await fleet.appliedWork('web')).status?.appliedResources?.map(({ name }) => name),
      ['two'],
    );
  });

  test('are left to those who own them too', async () => {
    const strategy = { allowCoOwnership: true };
    await fleet.place('web', [configMap('one')], { strategy });
    const parent = await fleet.member.client.create(kinds.configMap, configMap('parent') as KubeObject);
    const mine = (await fleet.onMember(kinds.configMap, 'one'))?.metadata.ownerReferences ?? [];
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: parent.metadata.uid ?? '' };
    await fleet.meddle(kinds.configMap, 'one', { metadata: { ownerReferences: [...mine, theirs] } });
    await fleet.settle();
    await fleet.change('web', (before) => ({ ...before, spec: only('two') }));
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'one'))?.metadata.ownerReferences, [theirs]);
  });

  test('are left alone when they are not ours any more', async () => {
    await fleet.place('web', [configMap('one')], { strategy: { whenToTakeOver: 'Never' } });
    await fleet.meddle(kinds.configMap, 'one', { metadata: { ownerReferences: null } });
    await fleet.settle();
    await fleet.change('web', (before) => ({ ...before, spec: only('two') }));
    assert.notEqual(await fleet.onMember(kinds.configMap, 'one'), undefined);
  });

  test('are removed when they cannot be decoded any more', async () => {
    await fleet.place('web', [configMap('one')]);
    const broken = { ...configMap('one'), apiVersion: 'v0' };
    const work = await fleet.change('web', (before) => ({ ...before, spec: { workload: { manifests: [broken] } } }));
    assert.deepEqual(saidOf(work), ['Applied=False DecodingErred']);
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
  });
});
