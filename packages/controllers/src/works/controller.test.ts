import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { families, works } from '@flotilla/api';
import { available, isAvailable, workKey, WorksScene } from './works-scene.testing.ts';
import { aConfigMap, baseIn, namespaceIn } from './works.testing.ts';

let scene: WorksScene;

for (const family of families) {
  const base = baseIn(family);
  const { plural } = family.binding;

  describe(`the Works of ${plural}`, () => {
    before(async () => {
      scene = await WorksScene.start();
    });
    after(() => scene.hub.stop());
    beforeEach(() => {
      scene.writes = [];
    });

    test('cost one creation, and one status when the member has reported', async () => {
      await scene.snapshot(family, [aConfigMap('a')]);
      await scene.bind(family);
      await scene.shortly();
      await scene.report(`${base}-work`, isAvailable);
      await scene.shortly();
      assert.deepEqual(scene.writes, ['POST works', `PUT ${plural}/status`]);
      assert.equal((await scene.conditionsOf(family)).at(-1), available);
      await scene.hub.clock.advance(600_000);
      assert.equal(scene.writes.length, 2);
    });

    test('are not written again after a restart', async () => {
      await scene.hub.stopControllers();
      await scene.hub.startControllers();
      await scene.hub.clock.advance(600_000);
      assert.deepEqual(scene.writes, []);
    });

    test('are updated once for a new snapshot', async () => {
      await scene.snapshot(family, [aConfigMap('b')], {}, 5);
      const bound = await scene.bindingOf(family);
      assert.ok(bound);
      const spec = { ...bound.spec, resourceSnapshotName: 'web-5-snapshot' };
      await scene.startRollout(family, await scene.hub.client.update(family.binding, { ...bound, spec }));
      await scene.shortly();
      await scene.report(`${base}-work`, isAvailable);
      await scene.shortly();
      assert.deepEqual(scene.writes, ['PUT works', `PUT ${plural}/status`]);
      const { metadata, status } = (await scene.bindingOf(family)) ?? {};
      assert.ok(status?.conditions?.every(({ observedGeneration }) => observedGeneration === metadata?.generation));
    });

    test('that are slow get a status that says so', async () => {
      const work = await scene.hub.client.get(works, workKey(`${base}-work`));
      await scene.hub.client.update(works, { ...work, spec: { ...work.spec, workload: { manifests: [] } } });
      await scene.shortly();
      assert.deepEqual(scene.writes, []);
      await scene.hub.clock.advance(3000);
      await scene.hub.settle();
      assert.equal(
        (await scene.conditionsOf(family)).at(-1),
        'Applied=False ApplyInProgress: Resources are being applied',
      );
    });

    test('are made again when they are deleted', async () => {
      const { metadata } = await scene.hub.client.get(works, workKey(`${base}-work`));
      await scene.hub.client.delete(works, workKey(`${base}-work`));
      await scene.release(`${base}-work`);
      await scene.shortly();
      assert.notEqual((await scene.hub.find(works, workKey(`${base}-work`)))?.metadata.uid, metadata.uid);
    });

    test('follow the placement where it wants statuses back', async () => {
      const resourceSelectors = [{ group: '', version: 'v1', kind: 'ConfigMap', name: 'a' }];
      const namespace = namespaceIn(family);
      const placement = await scene.hub.server.create(family.placement, {
        metadata: { name: 'web', namespace },
        spec: { resourceSelectors },
      });
      const reportBackStrategy = { type: 'Mirror', destination: 'WorkAPI' };
      const strategy = { ...placement.spec.strategy, reportBackStrategy };
      await scene.hub.client.update(family.placement, {
        ...placement,
        spec: { ...placement.spec, strategy },
      } as typeof placement);
      await scene.shortly();
      const { spec } = await scene.hub.client.get(works, workKey(`${base}-work`));
      assert.deepEqual(spec?.reportBackStrategy, reportBackStrategy);
    });

    test('are gone before their binding is', async () => {
      const name = `${base}-work`;
      await scene.report(name, isAvailable);
      await scene.hub.client.delete(family.binding, { namespace: namespaceIn(family), name: 'web-sea-1234' });
      await scene.hub.settle();
      await scene.hub.clock.advance(600_000);
      assert.ok((await scene.hub.find(works, workKey(name)))?.metadata.deletionTimestamp);
      assert.ok(await scene.bindingOf(family));
      // A new binding for the same cluster waits for the old Work.
      await scene.bind(family, { name: 'web-sea-5678', spec: { resourceSnapshotName: 'web-5-snapshot' } });
      await scene.shortly();
      assert.match(
        (await scene.conditionsOf(family, 'web-sea-5678')).at(-1) ?? '',
        /is still being deleted by the agent/,
      );
      await scene.release(name);
      await scene.shortly();
      assert.equal(await scene.bindingOf(family), undefined);
      const { metadata } = await scene.hub.client.get(works, workKey(name));
      assert.equal(metadata.labels?.['kubernetes-fleet.io/parent-resource-binding'], 'web-sea-5678');
    });
  });
}
