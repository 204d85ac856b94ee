import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import {
  berth,
  berths,
  configMap,
  summariesOf,
  kinds,
  manifestOf,
  conditionsOf,
  TestApplier,
} from './applier.testing.ts';

describe('a manifest', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  test('of a kind that the member does not serve is reported with its full identifier', async () => {
    const work = await fleet.createWork('sea', [berth('north')]);
    assert.deepEqual(conditionsOf(work), ['Applied=False DecodingErred']);
    assert.deepEqual(manifestOf(work).identifier, {
      ordinal: 0,
      group: 'sea.example.com',
      version: 'v1',
      kind: 'Berth',
      namespace: 'apps',
      name: 'north',
    });
  });

  test('of such a kind is applied as soon as its definition exists', async () => {
    await fleet.createWork('sea', [berth('north', { depth: 3 })]);
    const before = fleet.clock.now();
    await fleet.member.client.create(kinds.definition, berths as KubeObject);
    await fleet.settle();
    assert.deepEqual(conditionsOf(await fleet.work('sea')), [
      'Applied=True Applied @1',
      'Available=True NotTrackable @1',
    ]);
    assert.deepEqual((await fleet.onMember(kinds.berth, 'north'))?.['spec'], { depth: 3 });
    assert.ok(fleet.clock.now() - before < 1000);
  });

  test('is applied after its definition in the same Work', async () => {
    await fleet.createWork('sea', [berth('north'), berths]);
    await fleet.settle();
    const work = await fleet.work('sea');
    assert.deepEqual(conditionsOf(work, 0), ['Applied=True Applied @1', 'Available=True NotTrackable @1']);
    assert.deepEqual(conditionsOf(work, 1), ['Applied=True Applied @1', 'Available=True Available @1']);
  });

  test('whose definition is deleted is undecodable again', async () => {
    await fleet.member.client.create(kinds.definition, berths as KubeObject);
    await fleet.settle();
    await fleet.createWork('sea', [berth('north')]);
    await fleet.member.client.delete(kinds.definition, { name: 'berths.sea.example.com' });
    await fleet.settle();
    await fleet.clock.advance(1_000);
    await fleet.settle();
    assert.deepEqual(conditionsOf(await fleet.work('sea')), ['Applied=False DecodingErred']);
  });

  test('with a generateName is refused', async () => {
    const work = await fleet.createWork('web', [
      { ...configMap(''), metadata: { generateName: 'a-', namespace: 'apps' } },
    ]);
    assert.deepEqual(conditionsOf(work), ['Applied=False FoundGenerateName']);
    assert.deepEqual(work.status?.manifestConditions?.[0]?.identifier, {
      ordinal: 0,
      version: 'v1',
      kind: 'ConfigMap',
      resource: 'configmaps',
      namespace: 'apps',
    });
  });

  test('with the object of an earlier one is refused', async () => {
    const work = await fleet.createWork('web', [
      configMap('a', { place: 'first' }),
      configMap('a', { place: 'second' }),
    ]);
    assert.deepEqual(conditionsOf(work, 0), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual(conditionsOf(work, 1), ['Applied=False Duplicated']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'a'))?.['data'], { place: 'first' });
  });

  test('without a name is refused', async () => {
    const work = await fleet.createWork('web', [{ ...configMap(''), metadata: { namespace: 'apps' } }]);
    assert.deepEqual(conditionsOf(work), ['Applied=False FailedToFindObjInMemberCluster']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /has no name/);
  });

  test('of a namespaced kind without a namespace is refused', async () => {
    const work = await fleet.createWork('web', [{ ...configMap('a'), metadata: { name: 'a' } }]);
    assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /is namespaced, but the manifest has no namespace/);
  });

  test('of a cluster-scoped kind with a namespace is refused', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a', namespace: 'apps' } };
    const work = await fleet.createWork('web', [namespace]);
    assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
  });

  test('is applied when its missing namespace is created', async () => {
    const lost = configMap('lost', {}, { namespace: 'nowhere' });
    const work = await fleet.createWork('web', [lost]);
    assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
    const before = fleet.clock.now();
    await fleet.member.create(kinds.namespace, { metadata: { name: 'nowhere' } });
    await fleet.settle();
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
    assert.ok(fleet.clock.now() - before < 1000);
  });

  test('fails in a terminating namespace, and is applied when the namespace is back', async () => {
    await fleet.createWork('web', [configMap('a')]);
    const held = configMap('held', {}, { finalizers: ['example.com/hold'] });
    await fleet.member.client.create(kinds.configMap, held);
    await fleet.member.client.delete(kinds.namespace, { name: 'apps' });
    await fleet.settle();
    const work = await fleet.work('web');
    assert.deepEqual(conditionsOf(work), ['Applied=False ManifestApplyFailed']);
    assert.match(manifestOf(work).conditions[0]?.message ?? '', /being terminated/);
    await fleet.changeOnMember(kinds.configMap, 'held', { metadata: { finalizers: null } });
    await fleet.clock.advance(5_000);
    await fleet.member.create(kinds.namespace, { metadata: { name: 'apps' } });
    await fleet.clock.advance(20_000);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
  });
});

describe('a manifest from a hub that accepts any JSON', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start({ isHubLenient: true });
  });
  afterEach(() => fleet.stop());

  const unreadable: Record<string, JsonObject> = {
    'has no kind': { apiVersion: 'v1', metadata: { name: 'a', namespace: 'apps' } },
    'is empty': {},
    'has an apiVersion of three parts': { ...configMap('a'), apiVersion: 'a/b/c' },
    'has a text as metadata': { ...configMap('a'), metadata: 'none' },
  };
  for (const [name, manifest] of Object.entries(unreadable)) {
    test(`that ${name} is not decoded, and others are applied`, async () => {
      const work = await fleet.createWork('web', [manifest, configMap('good')]);
      assert.deepEqual(conditionsOf(work, 0), ['Applied=False DecodingErred']);
      assert.equal(manifestOf(work, 0).identifier.ordinal, 0);
      assert.deepEqual(conditionsOf(work, 1), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(summariesOf(work.status?.conditions), ['Applied=False SomeManifestsAreNotApplied @1']);
    });
  }

  test('that stays undecodable is not reported again', async () => {
    await fleet.createWork('web', [{ metadata: {} }, { metadata: {} }, configMap('good')]);
    fleet.requests.hub.take();
    await fleet.clock.advance(120_000);
    assert.deepEqual(fleet.requests.hub.takeWrites(), []);
  });

  test('cannot prevent the others from being applied, however odd it is', async () => {
    const evil = JSON.parse(
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"evil","namespace":"apps"},"data":{"constructor":"z"},"__proto__":{"x":1}}',
    ) as KubeObject;
    const work = await fleet.createWork('web', [
      evil,
      configMap('../../secrets/x'),
      configMap('..'),
      configMap('good'),
    ]);
    assert.deepEqual(conditionsOf(work, 0), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual(conditionsOf(work, 1), ['Applied=False FailedToFindObjInMemberCluster']);
    assert.deepEqual(conditionsOf(work, 2), ['Applied=False FailedToFindObjInMemberCluster']);
    assert.deepEqual(conditionsOf(work, 3), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'evil'))?.['data'], { constructor: 'z' });
  });

  test('that is nested too deep is refused', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 600; level++) deep = { deeper: deep };
    const work = await fleet.createWork('web', [{ ...configMap('deep'), data: deep }]);
    assert.deepEqual(conditionsOf(work), ['Applied=False DecodingErred']);
  });
});

describe('a Work without manifests', () => {
  test('is applied and available', async () => {
    const fleet = await TestApplier.start();
    const work = await fleet.createWork('empty', []);
    assert.deepEqual(summariesOf(work.status?.conditions), [
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
    await fleet.createWork('web', [configMap('one'), configMap('two')]);
    const work = await fleet.change('web', (before) => ({ ...before, spec: only('two') }));
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
    assert.equal(work.status?.manifestConditions?.length, 1);
    assert.deepEqual(manifestOf(work).identifier.ordinal, 0);
    assert.deepEqual(
      (await fleet.appliedWork('web')).status?.appliedResources?.map(({ name }) => name),
      ['two'],
    );
  });

  test('lose only the owner reference if they have other owners', async () => {
    const strategy = { allowCoOwnership: true };
    await fleet.createWork('web', [configMap('one')], { strategy });
    const parent = await fleet.member.client.create(kinds.configMap, configMap('parent'));
    const mine = (await fleet.onMember(kinds.configMap, 'one'))?.metadata.ownerReferences ?? [];
    const theirs = { apiVersion: 'v1', kind: 'ConfigMap', name: 'parent', uid: parent.metadata.uid ?? '' };
    await fleet.changeOnMember(kinds.configMap, 'one', { metadata: { ownerReferences: [...mine, theirs] } });
    await fleet.settle();
    await fleet.change('web', (before) => ({ ...before, spec: only('two') }));
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'one'))?.metadata.ownerReferences, [theirs]);
  });

  test('stay if the Work does not own their objects any more', async () => {
    await fleet.createWork('web', [configMap('one')], { strategy: { whenToTakeOver: 'Never' } });
    await fleet.changeOnMember(kinds.configMap, 'one', { metadata: { ownerReferences: null } });
    await fleet.settle();
    await fleet.change('web', (before) => ({ ...before, spec: only('two') }));
    assert.notEqual(await fleet.onMember(kinds.configMap, 'one'), undefined);
  });

  test('are removed also if they became undecodable', async () => {
    await fleet.createWork('web', [configMap('one')]);
    const broken = { ...configMap('one'), apiVersion: 'v0' };
    const work = await fleet.change('web', (before) => ({ ...before, spec: { workload: { manifests: [broken] } } }));
    assert.deepEqual(conditionsOf(work), ['Applied=False DecodingErred']);
    assert.equal(await fleet.onMember(kinds.configMap, 'one'), undefined);
  });
});
