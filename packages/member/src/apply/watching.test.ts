import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { appliedWorks, works } from '@flotilla/api';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import {
  configMap,
  deployment,
  inWords,
  kinds,
  manifestOf,
  namespace,
  saidOf,
  TestApplier,
} from './applier.testing.ts';

const minute = 60_000;

/** What a Deployment's controller says when all is well. */
const healthy = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

describe('an applied object', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  test('that becomes available is noticed before any timer', async () => {
    await fleet.place('web', [deployment('web')]);
    const before = fleet.clock.now();
    const object = await fleet.onMember(kinds.deployment, 'web');
    await fleet.member.client.update(kinds.deployment, { ...object, status: healthy } as unknown as KubeObject, {
      subresource: 'status',
    });
    await fleet.settle();
    const work = await fleet.work('web');
    assert.deepEqual(saidOf(work), ['Applied=True Applied @1', 'Available=True Available @1']);
    assert.deepEqual(inWords(work.status?.conditions), [
      'Applied=True AllManifestsApplied @1',
      'Available=True AllManifestsAvailable @1',
    ]);
    assert.ok(fleet.clock.now() - before < 1000);
  });

  test('that is deleted comes back at once', async () => {
    await fleet.place('web', [configMap('settings')]);
    const before = await fleet.onMember(kinds.configMap, 'settings');
    await fleet.member.client.delete(kinds.configMap, { namespace: 'apps', name: 'settings' });
    await fleet.settle();
    const after = await fleet.onMember(kinds.configMap, 'settings');
    assert.ok(after);
    assert.notEqual(after.metadata.uid, before?.metadata.uid);
    const { appliedResources } = (await fleet.appliedWork('web')).status ?? {};
    assert.equal(appliedResources?.[0]?.uid, after.metadata.uid);
  });

  test('whose AppliedWork is deleted gets a new one', async () => {
    await fleet.place('web', [configMap('settings')]);
    const before = await fleet.appliedWork('web');
    await fleet.member.client.delete(appliedWorks, { name: 'web' }, { propagationPolicy: 'Background' });
    await fleet.settle();
    const after = await fleet.appliedWork('web');
    assert.notEqual(after.metadata.uid, before.metadata.uid);
    const owners = (await fleet.onMember(kinds.configMap, 'settings'))?.metadata.ownerReferences;
    assert.deepEqual(
      owners?.map(({ uid }) => uid),
      [after.metadata.uid],
    );
  });

  test('whose AppliedWork takes its time to go is left alone until it is gone', async () => {
    await fleet.place('web', [configMap('settings', {}, { finalizers: ['example.com/hold'] })]);
    await fleet.member.client.delete(appliedWorks, { name: 'web' }, { propagationPolicy: 'Foreground' });
    await fleet.settle();
    fleet.asked.member.take();
    await fleet.clock.advance(minute);
    assert.deepEqual(fleet.asked.member.takeWrites(), []);
    const dying = await fleet.onMember(kinds.configMap, 'settings');
    assert.notEqual(dying?.metadata.deletionTimestamp, undefined);
    await fleet.meddle(kinds.configMap, 'settings', { metadata: { finalizers: null } });
    await fleet.settle();
    const { uid } = (await fleet.appliedWork('web')).metadata;
    const again = await fleet.onMember(kinds.configMap, 'settings');
    assert.equal(again?.metadata.deletionTimestamp, undefined);
    assert.equal(again?.metadata.ownerReferences?.[0]?.uid, uid);
  });

  test('that others change all the time is repaired each time, but not without pause', async () => {
    await fleet.place('web', [configMap('settings', { colour: 'blue' })]);
    fleet.asked.member.take();
    for (let fight = 0; fight < 100; fight++) {
      await fleet.meddle(kinds.configMap, 'settings', { data: { colour: `green ${fight}` } });
      await fleet.clock.advance(20);
    }
    const patches = fleet.asked.member.takeWrites().length;
    assert.ok(patches >= 8 && patches <= 20, `${patches} repairs in two seconds`);
    await fleet.clock.advance(1000);
    assert.deepEqual((await fleet.onMember(kinds.configMap, 'settings'))?.['data'], { colour: 'blue' });
  });
});

describe('a round', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  const names = (requests: readonly string[]) => requests.map((request) => request.split('/').at(-1));

  test('asks only for what changed', async () => {
    await fleet.place('web', [configMap('one'), configMap('two'), configMap('three')]);
    fleet.asked.member.take();
    await fleet.meddle(kinds.configMap, 'two', { data: { theirs: 'yes' } });
    await fleet.settle();
    assert.deepEqual(names(fleet.asked.member.take()), ['two']);
  });

  test('asks for what is not well, and for nothing else', async () => {
    await fleet.place('web', [configMap('one'), configMap('lost', {}, { namespace: 'nowhere' }), configMap('three')]);
    fleet.asked.member.take();
    await fleet.clock.advance(6_000);
    assert.deepEqual(new Set(fleet.asked.member.take()), new Set(['POST /api/v1/namespaces/nowhere/configmaps']));
  });

  test('asks for everything when the Work changed, though the objects did not', async () => {
    await fleet.place('web', [configMap('one'), configMap('two')]);
    fleet.asked.member.take();
    await fleet.change('web', (work) => ({
      ...work,
      spec: { ...work.spec, applyStrategy: { type: 'ReportDiff' } as never },
    }));
    const asked = fleet.asked.member.take().filter((request) => request.startsWith('GET '));
    assert.deepEqual(names(asked), ['one', 'two']);
  });

  test('reports what it did not ask for as before', async () => {
    const reportBackStrategy = { type: 'Mirror', destination: 'WorkAPI' };
    await fleet.place('web', [deployment('web'), configMap('one')], { reportBackStrategy });
    const before = manifestOf(await fleet.work('web'), 0);
    await fleet.meddle(kinds.configMap, 'one', { data: { theirs: 'yes' } });
    await fleet.settle();
    assert.deepEqual(manifestOf(await fleet.work('web'), 0), before);
    assert.equal((await fleet.appliedWork('web')).status?.appliedResources?.length, 2);
  });
});

describe('at rest', () => {
  for (const type of ['ClientSideApply', 'ServerSideApply', 'ReportDiff'] as const) {
    async function atRest(): Promise<TestApplier> {
      const fleet = await TestApplier.start();
      const manifests = [configMap('settings', { colour: 'blue' }), deployment('web')];
      // ReportDiff brings nothing to the member that could be at rest.
      await fleet.place('web', manifests);
      await fleet.change('web', (work) => ({ ...work, spec: { ...work.spec, applyStrategy: { type } as never } }));
      fleet.asked.hub.take();
      fleet.asked.member.take();
      return fleet;
    }

    test(`nothing is written with ${type}, and nothing is asked either`, async () => {
      const fleet = await atRest();
      const work = await fleet.work('web');
      await fleet.clock.advance(10 * minute);
      assert.deepEqual(fleet.asked.hub.take(), []);
      assert.deepEqual(fleet.asked.member.take(), []);
      assert.equal((await fleet.work('web')).metadata.resourceVersion, work.metadata.resourceVersion);
      await fleet.stop();
    });

    test(`the safety net of ${type} asks now and then, and changes nothing`, async () => {
      const fleet = await atRest();
      const before = await fleet.onMember(kinds.deployment, 'web');
      await fleet.clock.advance(60 * minute);
      const asked = fleet.asked.member.take();
      assert.ok(asked.length > 0 && asked.length < 20, `${asked.length} requests in an hour`);
      assert.deepEqual(fleet.asked.hub.take(), []);
      const after = await fleet.onMember(kinds.deployment, 'web');
      assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
      await fleet.stop();
    });
  }

  test('a Secret written as text is not written again and again, though its manifest never equals it', async () => {
    const fleet = await TestApplier.start();
    const secret = { ...configMap('password'), kind: 'Secret', data: undefined, stringData: { key: 'before' } };
    await fleet.place('web', [JSON.parse(JSON.stringify(secret)) as JsonObject]);
    const before = await fleet.onMember(kinds.secret, 'password');
    await fleet.clock.advance(60 * minute);
    const after = await fleet.onMember(kinds.secret, 'password');
    assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
    assert.deepEqual(saidOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
    await fleet.stop();
  });

  test('a restarted agent reads, compares and writes nothing', async () => {
    const fleet = await TestApplier.start();
    await fleet.place('web', [configMap('settings', { colour: 'blue' }), deployment('web')]);
    fleet.asked.hub.take();
    fleet.asked.member.take();
    await fleet.restart();
    assert.deepEqual(fleet.asked.hub.takeWrites(), []);
    assert.deepEqual(fleet.asked.member.takeWrites(), []);
    await fleet.stop();
  });

  test('a member without Works is not watched', async () => {
    const fleet = await TestApplier.start();
    assert.equal(fleet.watched(), 0);
    await fleet.place('web', [configMap('settings'), deployment('web')]);
    // Its two kinds, AppliedWorks and definitions.
    assert.equal(fleet.watched(), 4);
    await fleet.place('more', [configMap('more')]);
    assert.equal(fleet.watched(), 4);
    await fleet.change('web', (work) => ({ ...work, spec: { workload: { manifests: [configMap('settings')] } } }));
    assert.equal(fleet.watched(), 3);
    for (const name of ['web', 'more']) await fleet.hub.client.delete(works, { namespace, name });
    await fleet.settle();
    assert.equal(fleet.watched(), 0);
    await fleet.stop();
  });
});

describe('statuses of applied objects', () => {
  const reportBackStrategy = { type: 'Mirror', destination: 'WorkAPI' };

  test('come back where the Work asks for them, and follow the object', async () => {
    const fleet = await TestApplier.start();
    const work = await fleet.place('web', [deployment('web'), configMap('settings')], { reportBackStrategy });
    assert.deepEqual(manifestOf(work, 0).backReportedStatus?.observedStatus, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      status: {},
    });
    assert.equal(manifestOf(work, 1).backReportedStatus, undefined);
    const object = await fleet.onMember(kinds.deployment, 'web');
    await fleet.member.client.update(kinds.deployment, { ...object, status: healthy } as unknown as KubeObject, {
      subresource: 'status',
    });
    await fleet.settle();
    assert.deepEqual(manifestOf(await fleet.work('web')).backReportedStatus, {
      observedStatus: { apiVersion: 'apps/v1', kind: 'Deployment', status: healthy },
      observationTime: '2026-01-01T00:00:00Z',
    });
    await fleet.stop();
  });

  test('stay at home where it does not', async () => {
    const fleet = await TestApplier.start();
    const work = await fleet.place('web', [deployment('web')]);
    assert.equal(manifestOf(work).backReportedStatus, undefined);
    await fleet.stop();
  });
});
