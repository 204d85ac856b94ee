import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { works } from '@flotilla/api';
import { configMap, deployment, namespace, saidOf, TestApplier } from './applier.testing.ts';

const work = (name: string) => `/apis/placement.kubernetes-fleet.io/v1beta1/namespaces/${namespace}/works/${name}`;
const appliedWorks = '/apis/placement.kubernetes-fleet.io/v1beta1/appliedworks';
const configMaps = '/api/v1/namespaces/apps/configmaps';
const deployments = '/apis/apps/v1/namespaces/apps/deployments';

describe('what a Work costs', () => {
  let fleet: TestApplier;
  beforeEach(async () => {
    fleet = await TestApplier.start();
  });
  afterEach(() => fleet.stop());

  test('on the hub: its finalizer, the announcement, and the report', async () => {
    await fleet.place('web', [configMap('settings'), deployment('web')]);
    assert.deepEqual(fleet.asked.hub.take(), [
      `PUT ${work('web')}`,
      `PUT ${work('web')}/status`,
      `PUT ${work('web')}/status`,
    ]);
  });

  test('on the member: a look at each object before it is created, in waves', async () => {
    await fleet.place('web', [deployment('web'), configMap('settings')]);
    assert.deepEqual(fleet.asked.member.take(), [
      'GET /api',
      'GET /apis',
      `POST ${appliedWorks}`,
      `GET ${configMaps}/settings`,
      `POST ${configMaps}`,
      `GET ${deployments}/web`,
      `POST ${deployments}`,
      `PUT ${appliedWorks}/web/status`,
    ]);
  });

  test('no look where a kind is watched already and has no such object', async () => {
    await fleet.place('first', [configMap('first')]);
    fleet.asked.member.take();
    await fleet.place('second', [configMap('second')]);
    assert.deepEqual(fleet.asked.member.take(), [
      `POST ${appliedWorks}`,
      `POST ${configMaps}`,
      `PUT ${appliedWorks}/second/status`,
    ]);
  });

  test("nothing for labels and annotations that are not the applier's business", async () => {
    await fleet.place('web', [configMap('settings')]);
    fleet.asked.member.take();
    await fleet.change('web', (before) => ({
      ...before,
      metadata: { ...before.metadata, labels: { index: '1' } },
    }));
    assert.deepEqual(fleet.asked.member.take(), []);
  });
});

describe('what an applier may be told', () => {
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'once', namespace: 'apps' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'once:1' }] } } },
  };

  test('to track Jobs, which are not tracked otherwise', async () => {
    for (const [trackJobs, word] of [
      [false, 'True NotTrackable'],
      [true, 'False ManifestNotAvailableYet'],
    ] as const) {
      const fleet = await TestApplier.start({ trackJobs });
      const placed = await fleet.place('web', [job]);
      assert.deepEqual(saidOf(placed), ['Applied=True Applied @1', `Available=${word} @1`]);
      await fleet.stop();
    }
  });

  test('to let Works that are well wait for others', async () => {
    const fleet = await TestApplier.start({ priorities: { perMinute: -100, whenNew: 100 }, limits: { works: 1 } });
    await fleet.place('well', [configMap('well')]);
    await fleet.clock.advance(60_000);
    fleet.asked.hub.take();
    const well = await fleet.work('well');
    const changed = (name: string) => ({ workload: { manifests: [configMap(name, { round: 'second' })] } });
    await fleet.hub.client.update(works, { ...well, spec: changed('well') });
    await fleet.hub.create(works, { metadata: { name: 'new', namespace }, spec: changed('new') });
    await fleet.settle();
    const order = fleet.asked.hub.take().map((request) => request.split('/works/')[1]?.split('/')[0]);
    assert.deepEqual([...new Set(order)], ['new', 'well']);
    await fleet.stop();
  });
});

describe('many Works', () => {
  test('are applied, five at a time and each to its end', async () => {
    const fleet = await TestApplier.start();
    const names = Array.from({ length: 60 }, (_, index) => `work-${index}`);
    for (const name of names) {
      const manifests = [configMap(name, { name }), configMap(`${name}-more`)];
      await fleet.hub.create(works, { metadata: { name, namespace }, spec: { workload: { manifests } } });
    }
    await fleet.settle();
    for (const name of names) {
      const found = await fleet.work(name);
      assert.deepEqual(saidOf(found, 0), ['Applied=True Applied', 'Available=True Available']);
      assert.deepEqual(saidOf(found, 1), ['Applied=True Applied', 'Available=True Available']);
    }
    await fleet.stop();
  });

  test('that want the same object do not fight over it', async () => {
    const fleet = await TestApplier.start();
    for (const name of ['one', 'two', 'three']) {
      const manifests = [configMap('shared', { from: name })];
      await fleet.hub.create(works, { metadata: { name, namespace }, spec: { workload: { manifests } } });
    }
    await fleet.settle();
    const said = await Promise.all(['one', 'two', 'three'].map(async (name) => saidOf(await fleet.work(name))[0]));
    const count = (word: string) => said.filter((each) => each === word).length;
    assert.equal(count('Applied=True Applied'), 1);
    assert.equal(count('Applied=False FailedToTakeOver'), 2);
    fleet.asked.member.take();
    await fleet.clock.advance(3_000);
    assert.deepEqual(fleet.asked.member.takeWrites(), []);
    await fleet.stop();
  });
});
