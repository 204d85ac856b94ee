import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, resourceHashAnnotation, type ResourceSnapshot } from '@flotilla/api';
import { planResourceSnapshots, type ResourceSnapshotPlan } from './resource-snapshots.ts';
import type { SelectedResources } from './selection/selection.ts';
import { noDelay, PlacementModel, selectionOf } from './state.testing.ts';

const large = 600_000;
/** Three resources that need a snapshot each. */
const three = selectionOf(['a', 'b', 'c'], [large, large, large]);

function planOf(model: PlacementModel, selection: SelectedResources, settings = noDelay): ResourceSnapshotPlan {
  const plan = planResourceSnapshots(model.state, selection, settings, model.now);
  assert.ok(plan);
  return plan;
}

/** Reconciles until nothing is left to write. */
function complete(model: PlacementModel, selection: SelectedResources): void {
  for (let rounds = 0; model.perform(planOf(model, selection)) > 0; rounds++) assert.ok(rounds < 10);
}

function textsIn(model: PlacementModel): string[] {
  return model.resourceSnapshots.flatMap(({ spec }) =>
    spec.selectedResources.map(({ data }) => (data as { text: string }).text),
  );
}

for (const family of families) {
  const start = (selection: SelectedResources): PlacementModel => {
    const model = new PlacementModel(family);
    complete(model, selection);
    return model;
  };

  describe(`the resource snapshots of a ${family.placement.kind}`, () => {
    test("are KubeFleet's", () => {
      const model = start(three);
      const master = model.get(family.resourceSnapshot, 'web-0-snapshot');
      const further = model.get(family.resourceSnapshot, 'web-0-1');
      assert.deepEqual(master?.metadata.labels, {
        'kubernetes-fleet.io/parent-CRP': 'web',
        'kubernetes-fleet.io/is-latest-snapshot': 'true',
        'kubernetes-fleet.io/resource-index': '0',
      });
      assert.deepEqual(master?.metadata.annotations, {
        'kubernetes-fleet.io/resource-hash': three.hash,
        'kubernetes-fleet.io/number-of-resource-snapshots': '3',
        'kubernetes-fleet.io/number-of-enveloped-object': '0',
      });
      assert.deepEqual(further?.metadata.labels, {
        'kubernetes-fleet.io/parent-CRP': 'web',
        'kubernetes-fleet.io/resource-index': '0',
      });
      assert.deepEqual(further?.metadata.annotations, { 'kubernetes-fleet.io/subindex-of-resource-snapshot': '1' });
      for (const snapshot of [master, further]) {
        assert.equal(snapshot?.metadata.namespace, family.placement.namespaced ? 'shop' : undefined);
        assert.equal(snapshot?.metadata.ownerReferences?.[0]?.uid, 'uid-of-web');
      }
      assert.deepEqual(textsIn(model), ['a', 'b', 'c']);
    });

    test('of nothing are one empty snapshot', () => {
      const model = start(selectionOf([]));
      assert.deepEqual(
        model.resourceSnapshots.map(({ spec }) => spec.selectedResources),
        [[]],
      );
      const { annotations } = model.resourceSnapshots[0]?.metadata ?? {};
      assert.equal(annotations?.['kubernetes-fleet.io/number-of-resource-snapshots'], '1');
      assert.equal(
        annotations?.[resourceHashAnnotation],
        '83ff749c5d8eb5a0b62d714175bcbaef1409b371fc5a229a002db6fcc1f144e1',
      );
    });

    test('are written a few at a time, the first one first', () => {
      const model = new PlacementModel(family);
      const plan = planOf(model, three);
      model.perform(plan);
      assert.deepEqual(model.summary, ['web-0-snapshot latest']);
      assert.equal(plan.requeueAfterMs, 0);
    });

    test('are replaced if a resource changes, and the old one loses its label first', () => {
      const model = start(selectionOf(['a']));
      const plan = planOf(model, selectionOf(['b']));
      model.perform(plan, 1);
      assert.deepEqual(model.summary, ['web-0-snapshot old']);
      complete(model, selectionOf(['b']));
      assert.deepEqual(model.summary, ['web-0-snapshot old', 'web-1-snapshot latest']);
    });

    test('get the label back if a crash left none with it and the resources changed back', () => {
      const model = start(selectionOf(['a']));
      model.perform(planOf(model, selectionOf(['b'])), 1);
      complete(model, selectionOf(['a']));
      assert.deepEqual(model.summary, ['web-0-snapshot latest']);
    });

    test('are completed after a crash, or after a user deleted some', () => {
      const model = start(three);
      model.remove(family.resourceSnapshot, 'web-0-0');
      complete(model, three);
      assert.deepEqual(model.summary, ['web-0-0', 'web-0-1', 'web-0-snapshot latest']);
      assert.deepEqual(textsIn(model).sort(), ['a', 'b', 'c']);
    });

    const broken: readonly [string, (model: PlacementModel, master: ResourceSnapshot) => void][] = [
      ['its first snapshot was deleted', (model) => model.remove(family.resourceSnapshot, 'web-0-snapshot')],
      ['its size makes no sense', (model, master) => annotate(model, master, 'number-of-resource-snapshots', 'x')],
      [
        'its size is another, and one is missing',
        (model, master) => annotate(model, master, 'number-of-resource-snapshots', '4'),
      ],
      ['its size is absurd', (model, master) => annotate(model, master, 'number-of-resource-snapshots', '999999999')],
      ['its hash was changed', (model, master) => annotate(model, master, 'resource-hash', 'x')],
      [
        'a further snapshot lost its labels',
        (model) => model.put(family.resourceSnapshot, { apiVersion: '', kind: '', metadata: { name: 'web-0-0' } }),
      ],
    ];
    const annotate = (model: PlacementModel, master: ResourceSnapshot, name: string, value: string): void => {
      const annotations = { ...master.metadata.annotations, [`kubernetes-fleet.io/${name}`]: value };
      model.put(family.resourceSnapshot, { ...master, metadata: { ...master.metadata, annotations } });
    };
    for (const [how, spoil] of broken) {
      test(`get a new group if ${how}`, () => {
        const model = start(three);
        const master = model.get(family.resourceSnapshot, 'web-0-snapshot');
        assert.ok(master);
        spoil(model, master);
        complete(model, three);
        const names = model.summary.filter((name) => name.startsWith('web-1'));
        assert.deepEqual(names, ['web-1-0', 'web-1-1', 'web-1-snapshot latest']);
        assert.ok(!model.summary.includes('web-0-snapshot latest'));
      });
    }

    test('are complete if KubeFleet made as many as it says, even if we would split otherwise', () => {
      const model = start(three);
      assert.equal(model.perform(planOf(model, { ...three, sizes: [1, 1, 1] })), 0);
    });

    test('are not written while a selected object has just changed', () => {
      const changing = { ...three, contentAt: () => undefined };
      assert.equal(planResourceSnapshots(new PlacementModel(family).state, changing, noDelay, new Date()), undefined);
    });

    test('get an index that can be read, whatever index a user made up', () => {
      const model = start(selectionOf(['a']));
      const master = model.get(family.resourceSnapshot, 'web-0-snapshot');
      assert.ok(master);
      const labels = { ...master.metadata.labels, 'kubernetes-fleet.io/resource-index': '999999999999999' };
      model.put(family.resourceSnapshot, { ...master, metadata: { ...master.metadata, name: 'fake', labels } });
      complete(model, selectionOf(['b']));
      assert.deepEqual(model.summary, ['fake old', 'web-0-snapshot old', 'web-1-snapshot latest']);
    });

    test('get no index that bindings use', () => {
      const model = new PlacementModel(family);
      model.bind('sea', 'web-3-snapshot');
      model.bind('lake', 'other-9-snapshot');
      complete(model, three);
      assert.ok(model.summary.includes('web-4-snapshot latest'));
    });
  });

  describe(`a changed resource of a ${family.placement.kind}`, () => {
    const settings = { minSnapshotIntervalMs: 30_000, collectChangesMs: 15_000 };
    const changed = selectionOf(['b']);
    const startAt = (seconds: number): PlacementModel => {
      const model = start(selectionOf(['a']));
      model.now = new Date(model.now.getTime() + seconds * 1000);
      return model;
    };

    const waits: readonly [string, number, number][] = [
      ['waits until the interval is over', 5, 25_000],
      ['waits for further changes', 100, 15_000],
      ['waits for whichever is later', 20, 15_000],
    ];
    for (const [claim, after, expected] of waits) {
      test(claim, () => {
        const model = startAt(after);
        const plan = planOf(model, changed, settings);
        assert.equal(plan.requeueAfterMs, expected);
        assert.equal(plan.isDelayed, true);
        assert.equal(model.perform(plan), 1, 'notes when the change was detected');
        model.now = new Date(model.now.getTime() + expected - 1);
        const later = planOf(model, changed, settings);
        assert.equal(later.requeueAfterMs, 1);
        assert.equal(model.perform(later), 0);
        model.now = new Date(model.now.getTime() + 1);
        model.perform(planOf(model, changed, settings));
        assert.deepEqual(model.summary, ['web-0-snapshot old', 'web-1-snapshot latest']);
      });
    }

    test('waits if only one of the two is set', () => {
      assert.equal(planOf(startAt(100), changed, { ...noDelay, collectChangesMs: 1 }).requeueAfterMs, 1);
      assert.equal(planOf(startAt(1), changed, { ...noDelay, minSnapshotIntervalMs: 1500 }).requeueAfterMs, 500);
    });

    test('does not wait for the first snapshot, nor if a crash left none with the label', () => {
      const model = new PlacementModel(family);
      assert.equal(planOf(model, changed, settings).isDelayed, undefined);
      const crashed = startAt(1);
      crashed.perform(planOf(crashed, changed), 1);
      crashed.perform(planOf(crashed, changed, settings));
      assert.deepEqual(crashed.summary, ['web-0-snapshot old', 'web-1-snapshot latest']);
    });

    test('that changes back in time makes no snapshot', () => {
      const model = startAt(1);
      model.perform(planOf(model, changed, settings));
      assert.equal(model.perform(planOf(model, selectionOf(['a']), settings)), 0);
    });
  });
}
