import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { works } from '@flotilla/api';
import { configMap, deployment, namespace, conditionsOf, TestApplier } from './applier.testing.ts';

const work = (name: string) => `/apis/placement.kubernetes-fleet.io/v1beta1/namespaces/${namespace}/works/${name}`;
const appliedWorks = '/apis/placement.kubernetes-fleet.io/v1beta1/appliedworks';
const configMaps = '/api/v1/namespaces/apps/configmaps';
const deployments = '/apis/apps/v1/namespaces/apps/deployments';

describe('the requests for a Work', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  test('to the hub are the finalizer and the report of a new Work', async () => {
    await fleet.createWork('web', [configMap('settings'), deployment('web')]);
    assert.deepEqual(fleet.requests.hub.take(), [`PUT ${work('web')}`, `PUT ${work('web')}/status`]);
  });

  test('to the member is a create of each object, in waves', async () => {
    await fleet.createWork('web', [deployment('web'), configMap('settings')]);
    assert.deepEqual(fleet.requests.member.take(), [
      'GET /api',
      'GET /apis',
      `POST ${appliedWorks}`,
      `POST ${configMaps}`,
      `POST ${deployments}`,
      `PUT ${appliedWorks}/web/status`,
    ]);
  });

  test('do not include a get if the kind is watched and has no such object', async () => {
    await fleet.createWork('first', [configMap('first')]);
    fleet.requests.member.take();
    await fleet.createWork('second', [configMap('second')]);
    assert.deepEqual(fleet.requests.member.take(), [
      `POST ${appliedWorks}`,
      `POST ${configMaps}`,
      `PUT ${appliedWorks}/second/status`,
    ]);
  });

  test('are none after a change of labels or annotations', async () => {
    await fleet.createWork('web', [configMap('settings')]);
    fleet.requests.member.take();
    await fleet.change('web', (before) => ({
      ...before,
      metadata: { ...before.metadata, labels: { index: '1' } },
    }));
    assert.deepEqual(fleet.requests.member.take(), []);
  });
});

describe('the options of an applier', () => {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once', namespace: 'apps' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'once:1' }] } } },
  };

  test('trackJobs makes Jobs trackable', async () => {
    for (const [trackJobs, word] of [
      [false, 'True NotTrackable'],
      [true, 'False ManifestNotAvailableYet'],
    ] as const) {
      const fleet = await TestApplier.start({ trackJobs });
      const placed = await fleet.createWork('web', [job]);
      assert.deepEqual(conditionsOf(placed), ['Applied=True Applied @1', `Available=${word} @1`]);
      await fleet.stop();
    }
  });

  test('priorities put changes of unhealthy Works first', async () => {
    const fleet = await TestApplier.start({ priorities: { perMinute: -100, whenNew: 100 }, limits: { works: 1 } });
    await fleet.createWork('healthy', [configMap('healthy')]);
    await fleet.clock.advance(60_000);
    fleet.requests.hub.take();
    const healthy = await fleet.work('healthy');
    const changed = (name: string) => ({ workload: { manifests: [configMap(name, { round: 'second' })] } });
    await fleet.hub.client.update(works, { ...healthy, spec: changed('healthy') });
    await fleet.hub.create(works, { metadata: { name: 'new', namespace }, spec: changed('new') });
    await fleet.settle();
    const order = fleet.requests.hub.take().map((request) => request.split('/works/')[1]?.split('/')[0]);
    assert.deepEqual([...new Set(order)], ['new', 'healthy']);
    await fleet.stop();
  });
});

describe('many Works', () => {
  test('are all applied with all their manifests', async () => {
    const fleet = await TestApplier.start();
    const names = Array.from({ length: 60 }, (_, index) => `work-${index}`);
    for (const name of names) {
      const manifests = [configMap(name, { name }), configMap(`${name}-more`)];
      await fleet.hub.create(works, { metadata: { name, namespace }, spec: { workload: { manifests } } });
    }
    await fleet.settle();
    for (const name of names) {
      const found = await fleet.work(name);
      assert.deepEqual(conditionsOf(found, 0), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(conditionsOf(found, 1), ['Applied=True Applied', 'Available=True Available']);
    }
    await fleet.stop();
  });

  test('with the same object do not overwrite each other', async () => {
    const fleet = await TestApplier.start();
    for (const name of ['one', 'two', 'three']) {
      const manifests = [configMap('shared', { from: name })];
      await fleet.hub.create(works, { metadata: { name, namespace }, spec: { workload: { manifests } } });
    }
    await fleet.settle();
    const results = await Promise.all(
      ['one', 'two', 'three'].map(async (name) => conditionsOf(await fleet.work(name))[0]),
    );
    const count = (word: string) => results.filter((each) => each === word).length;
    assert.equal(count('Applied=True Applied'), 1);
    assert.equal(count('Applied=False FailedToTakeOver'), 2);
    fleet.requests.member.take();
    await fleet.clock.advance(3_000);
    assert.deepEqual(fleet.requests.member.takeWrites(), []);
    await fleet.stop();
  });
});
