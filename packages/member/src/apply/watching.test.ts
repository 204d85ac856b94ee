import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { appliedWorks, works } from '@flotilla/api';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import {
  configMap,
  deployment,
  summariesOf,
  kinds,
  manifestOf,
  namespace,
  conditionsOf,
  TestApplier,
} from './applier.testing.ts';

const minute = 60_000;

/** The status of an available Deployment. */
const healthy = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };

describe('an applied object', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  async function reportHealthy(): Promise<void> {
    const object = await fleet.onMember(kinds.deployment, 'web');
    await fleet.member.client.update(kinds.deployment, { ...object, status: healthy } as unknown as KubeObject, {
      subresource: 'status',
    });
  }

  test('that becomes available soon is reported once', async () => {
    await fleet.hub.create(works, {
      metadata: { name: 'web', namespace },
      spec: { workload: { manifests: [deployment('web')] } },
    });
    while ((await fleet.onMember(kinds.deployment, 'web')) === undefined) await fleet.clock.advance(1);
    await reportHealthy();
    await fleet.settle();
    const isReport = (request: string): boolean => request.endsWith('/works/web/status');
    assert.equal(fleet.requests.hub.takeWrites().filter(isReport).length, 1);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied @1', 'Available=True Available @1']);
  });

  test('that is not available for long is reported after half a second', async () => {
    const before = fleet.clock.now();
    const work = await fleet.createWork('web', [deployment('web')]);
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied @1', 'Available=False ManifestNotAvailableYet @1']);
    const waited = fleet.clock.now() - before;
    assert.ok(waited >= 500 && waited < 1000, `${waited} ms`);
  });

  test('that becomes available is reported before any timer', async () => {
    await fleet.createWork('web', [deployment('web')]);
    const before = fleet.clock.now();
    await reportHealthy();
    await fleet.settle();
    const work = await fleet.work('web');
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied @1', 'Available=True Available @1']);
    assert.deepEqual(summariesOf(work.status?.conditions), [
      'Applied=True AllManifestsApplied @1',
      'Available=True AllManifestsAvailable @1',
    ]);
    assert.ok(fleet.clock.now() - before < 1000);
  });

  test('that is deleted is created again at once', async () => {
    await fleet.createWork('web', [configMap('settings')]);
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
    await fleet.createWork('web', [configMap('settings')]);
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

  test('is not touched while its AppliedWork is being deleted', async () => {
    await fleet.createWork('web', [configMap('settings', {}, { finalizers: ['example.com/hold'] })]);
    await fleet.member.client.delete(appliedWorks, { name: 'web' }, { propagationPolicy: 'Foreground' });
    await fleet.settle();
    fleet.requests.member.take();
    await fleet.clock.advance(minute);
    assert.deepEqual(fleet.requests.member.takeWrites(), []);
    const dying = await fleet.onMember(kinds.configMap, 'settings');
    assert.notEqual(dying?.metadata.deletionTimestamp, undefined);
    await fleet.changeOnMember(kinds.configMap, 'settings', { metadata: { finalizers: null } });
    await fleet.settle();
    const { uid } = (await fleet.appliedWork('web')).metadata;
    const again = await fleet.onMember(kinds.configMap, 'settings');
    assert.equal(again?.metadata.deletionTimestamp, undefined);
    assert.equal(again?.metadata.ownerReferences?.[0]?.uid, uid);
  });

  test('that another client keeps changing is repaired each time, with delays', async () => {
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' })]);
    fleet.requests.member.take();
    for (let fight = 0; fight < 100; fight++) {
      await fleet.changeOnMember(kinds.configMap, 'settings', { data: { colour: `green ${fight}` } });
      await fleet.clock.advance(20);
    }
    const patches = fleet.requests.member.takeWrites().length;
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

  test('reads only changed objects', async () => {
    await fleet.createWork('web', [configMap('one'), configMap('two'), configMap('three')]);
    fleet.requests.member.take();
    await fleet.changeOnMember(kinds.configMap, 'two', { data: { theirs: 'yes' } });
    await fleet.settle();
    assert.deepEqual(names(fleet.requests.member.take()), ['two']);
  });

  test('reads failing objects, and no others', async () => {
    await fleet.createWork('web', [
      configMap('one'),
      configMap('lost', {}, { namespace: 'nowhere' }),
      configMap('three'),
    ]);
    fleet.requests.member.take();
    await fleet.clock.advance(6_000);
    assert.deepEqual(new Set(fleet.requests.member.take()), new Set(['POST /api/v1/namespaces/nowhere/configmaps']));
  });

  test('reads all objects after the Work changed', async () => {
    await fleet.createWork('web', [configMap('one'), configMap('two')]);
    fleet.requests.member.take();
    await fleet.change('web', (work) => ({
      ...work,
      spec: { ...work.spec, applyStrategy: { type: 'ReportDiff' } as never },
    }));
    const requests = fleet.requests.member.take().filter((request) => request.startsWith('GET '));
    assert.deepEqual(names(requests), ['one', 'two']);
  });

  test('reports objects that it did not read as before', async () => {
    const reportBackStrategy = { type: 'Mirror', destination: 'WorkAPI' };
    await fleet.createWork('web', [deployment('web'), configMap('one')], { reportBackStrategy });
    const before = manifestOf(await fleet.work('web'), 0);
    await fleet.changeOnMember(kinds.configMap, 'one', { data: { theirs: 'yes' } });
    await fleet.settle();
    assert.deepEqual(manifestOf(await fleet.work('web'), 0), before);
    assert.equal((await fleet.appliedWork('web')).status?.appliedResources?.length, 2);
  });
});

describe('without changes', () => {
  for (const type of ['ClientSideApply', 'ServerSideApply', 'ReportDiff'] as const) {
    async function atRest(): Promise<TestApplier> {
      const fleet = await TestApplier.start();
      const manifests = [configMap('settings', { colour: 'blue' }), deployment('web')];
      // ReportDiff applies nothing, so the objects are created before.
      await fleet.createWork('web', manifests);
      await fleet.change('web', (work) => ({ ...work, spec: { ...work.spec, applyStrategy: { type } as never } }));
      fleet.requests.hub.take();
      fleet.requests.member.take();
      return fleet;
    }

    test(`${type} sends no request`, async () => {
      const fleet = await atRest();
      const work = await fleet.work('web');
      await fleet.clock.advance(10 * minute);
      assert.deepEqual(fleet.requests.hub.take(), []);
      assert.deepEqual(fleet.requests.member.take(), []);
      assert.equal((await fleet.work('web')).metadata.resourceVersion, work.metadata.resourceVersion);
      await fleet.stop();
    });

    test(`${type} takes one more turn in a quarter of an hour`, async () => {
      const fleet = await atRest();
      const turns = (): number => {
        const series = fleet.metrics.text().matchAll(/reconcile_total\{controller="work-applier",[^}]*\} (\d+)/g);
        return [...series].reduce((sum, [, count]) => sum + Number(count), 0);
      };
      const before = turns();
      await fleet.clock.advance(10 * minute);
      assert.equal(turns() - before, 1);
      await fleet.stop();
    });

    test(`${type} rereads the objects now and then, and writes nothing`, async () => {
      const fleet = await atRest();
      const before = await fleet.onMember(kinds.deployment, 'web');
      await fleet.clock.advance(60 * minute);
      const requests = fleet.requests.member.take();
      assert.ok(requests.length > 0 && requests.length < 20, `${requests.length} requests in an hour`);
      assert.deepEqual(fleet.requests.hub.take(), []);
      const after = await fleet.onMember(kinds.deployment, 'web');
      assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
      await fleet.stop();
    });
  }

  test('a Secret with stringData is not written again, though it never equals its manifest', async () => {
    const fleet = await TestApplier.start();
    const secret = { ...configMap('password'), kind: 'Secret', data: undefined, stringData: { key: 'before' } };
    await fleet.createWork('web', [JSON.parse(JSON.stringify(secret)) as JsonObject]);
    const before = await fleet.onMember(kinds.secret, 'password');
    await fleet.clock.advance(60 * minute);
    const after = await fleet.onMember(kinds.secret, 'password');
    assert.equal(after?.metadata.resourceVersion, before?.metadata.resourceVersion);
    assert.deepEqual(conditionsOf(await fleet.work('web')), ['Applied=True Applied', 'Available=True Available']);
    await fleet.stop();
  });

  test('a restarted agent reads and compares, and writes nothing', async () => {
    const fleet = await TestApplier.start();
    await fleet.createWork('web', [configMap('settings', { colour: 'blue' }), deployment('web')]);
    fleet.requests.hub.take();
    fleet.requests.member.take();
    await fleet.restart();
    assert.deepEqual(fleet.requests.hub.takeWrites(), []);
    assert.deepEqual(fleet.requests.member.takeWrites(), []);
    await fleet.stop();
  });

  test('a member without Works is not watched', async () => {
    const fleet = await TestApplier.start();
    assert.equal(fleet.watchCount(), 0);
    await fleet.createWork('web', [configMap('settings'), deployment('web')]);
    // Its two kinds, AppliedWorks and CustomResourceDefinitions.
    assert.equal(fleet.watchCount(), 4);
    await fleet.createWork('more', [configMap('more')]);
    assert.equal(fleet.watchCount(), 4);
    await fleet.change('web', (work) => ({ ...work, spec: { workload: { manifests: [configMap('settings')] } } }));
    assert.equal(fleet.watchCount(), 3);
    for (const name of ['web', 'more']) await fleet.hub.client.delete(works, { namespace, name });
    await fleet.settle();
    assert.equal(fleet.watchCount(), 0);
    await fleet.stop();
  });
});

describe('statuses of applied objects', () => {
  const reportBackStrategy = { type: 'Mirror', destination: 'WorkAPI' };

  test('are mirrored to a Work that asks for them, as the object changes', async () => {
    const fleet = await TestApplier.start();
    const work = await fleet.createWork('web', [deployment('web'), configMap('settings')], { reportBackStrategy });
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

  test('are not mirrored otherwise', async () => {
    const fleet = await TestApplier.start();
    const work = await fleet.createWork('web', [deployment('web')]);
    assert.equal(manifestOf(work).backReportedStatus, undefined);
    await fleet.stop();
  });
});
