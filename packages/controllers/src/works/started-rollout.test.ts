/** Works beside the rollout, which leaves it to works to say that a rollout has started. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { families, works, type PlacementFamily } from '@flotilla/api';
import { available, isAvailable, workKey, WorksScene } from './works-scene.testing.ts';
import { aBinding, aConfigMap, baseIn, namespaceIn } from './works.testing.ts';

let scene: WorksScene;

/** Writes what the user and the placement controller write. */
async function place(family: PlacementFamily): Promise<void> {
  const resourceSelectors = [{ group: '', version: 'v1', kind: 'ConfigMap', name: 'a' }];
  const metadata = { namespace: namespaceIn(family), name: 'web' };
  await scene.hub.server.create(family.placement, { metadata, spec: { resourceSelectors } });
  await scene.snapshot(family, [aConfigMap('a')]);
}

/** Writes what the scheduler writes. */
async function schedule(family: PlacementFamily, targetCluster: string): Promise<void> {
  const { spec, metadata } = aBinding(family, { state: 'Scheduled', resourceSnapshotName: '', targetCluster });
  const { namespace, labels } = metadata;
  await scene.hub.server.create(family.binding, {
    metadata: { namespace, name: `web-${targetCluster}`, labels },
    spec,
  });
}

for (const family of families) {
  describe(`works of a ${family.placement.kind} beside its rollout`, () => {
    const bindings = family.binding.plural;
    const work = `${baseIn(family)}-work`;
    /** The generation whose rollout has started, as the binding says. */
    const startOf = async (name: string): Promise<number | undefined> => {
      const { conditions = [] } = (await scene.bindingOf(family, name))?.status ?? {};
      return conditions.find(({ type, status }) => type === 'RolloutStarted' && status === 'True')?.observedGeneration;
    };

    before(async () => {
      scene = await WorksScene.start(['rollout']);
      await place(family);
    });
    after(() => scene.hub.stop());

    test('say that a rollout has started together with their report, then later without one', async () => {
      await schedule(family, 'sea');
      scene.writes = [];
      await scene.shortly();
      assert.deepEqual(scene.writes, [`PATCH ${bindings}`, 'POST works']);
      assert.equal(await startOf('web-sea'), undefined);
      await scene.report(work, isAvailable);
      await scene.shortly();
      assert.deepEqual(scene.writes.slice(2), [`PUT ${bindings}/status`]);
      assert.deepEqual(
        [await startOf('web-sea'), (await scene.conditionsOf(family, 'web-sea')).at(-1)],
        [2, available],
      );
      await scene.hub.clock.advance(10_000);
      assert.equal(scene.writes.length, 3);

      await scene.snapshot(family, [aConfigMap('b')], {}, 5);
      await scene.hub.clock.advance(2_000);
      assert.equal((await scene.bindingOf(family, 'web-sea'))?.spec.resourceSnapshotName, 'web-5-snapshot');
      assert.equal(scene.writes.slice(3).includes(`PUT ${bindings}/status`), false);
      await scene.hub.clock.advance(2_000);
      assert.equal(await startOf('web-sea'), 3);
      assert.equal(scene.writes.filter((write) => write.endsWith('/status')).length, 2);
    });

    test('wait for their report while others come in', async () => {
      await scene.report(work, isAvailable);
      await scene.shortly();
      await scene.snapshot(family, [aConfigMap('c')], {}, 6);
      for (let second = 0; second < 8; second++) {
        const name = `other-${second}`;
        await scene.hub.server.create(works, { metadata: workKey(name), spec: { workload: {} } });
        await scene.report(name, isAvailable);
        await scene.hub.clock.advance(1_000);
      }
      assert.equal((await scene.bindingOf(family, 'web-sea'))?.spec.resourceSnapshotName, 'web-6-snapshot');
      assert.equal(await startOf('web-sea'), 3);
      await scene.hub.clock.advance(6_000);
      assert.equal(await startOf('web-sea'), 4);
    });

    test('say it at once of a cluster without a member, for which there are none', async () => {
      await schedule(family, 'gone');
      await scene.shortly();
      assert.equal(await startOf('web-gone'), 2);
    });
  });
}
