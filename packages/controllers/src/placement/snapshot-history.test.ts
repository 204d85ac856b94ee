import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families } from '@flotilla/api';
import { policySnapshotSteps } from './policy-snapshot.ts';
import { planResourceSnapshots } from './resource-snapshots.ts';
import { historyDeletions } from './snapshot-history.ts';
import { noDelay, PlacementModel, selectionOf } from './state.testing.ts';

for (const family of families) {
  /** With four groups of two snapshots each, and four policies. */
  const start = (revisionHistoryLimit?: number): PlacementModel => {
    const model = new PlacementModel(family, { ...(revisionHistoryLimit !== undefined && { revisionHistoryLimit }) });
    for (const text of ['a', 'b', 'c', 'd']) {
      model.change({ policy: { placementType: 'PickFixed', clusterNames: [text] } });
      const selection = selectionOf([text, text], [800_000, 800_000]);
      for (let round = 0; round < 2; round++) {
        model.perform({ steps: policySnapshotSteps(model.state) });
        model.perform(planResourceSnapshots(model.state, selection, noDelay, model.now) ?? { steps: [] });
      }
    }
    return model;
  };
  const namesAfter = (model: PlacementModel): string[] => {
    model.perform({ steps: [historyDeletions(model.state)] });
    return model.summary.map((line) => line.split(' ')[0] ?? '');
  };

  describe(`the history of a ${family.placement.kind}`, () => {
    test('has ten revisions by default', () => {
      const model = start();
      assert.deepEqual(
        namesAfter(model),
        model.summary.map((line) => line.split(' ')[0]),
      );
      assert.equal(model.summary.length, 12);
    });

    test('keeps as many groups and policies as the limit says, the newest ones', () => {
      assert.deepEqual(namesAfter(start(2)), [
        'web-2',
        'web-2-0',
        'web-2-snapshot',
        'web-3',
        'web-3-0',
        'web-3-snapshot',
      ]);
    });

    test('keeps what bindings use, until they have left it', () => {
      const model = start(2);
      model.bind('sea', 'web-1-snapshot', 'web-0');
      const latest = ['web-2', 'web-2-0', 'web-2-snapshot', 'web-3', 'web-3-0', 'web-3-snapshot'];
      assert.deepEqual(namesAfter(model), ['web-0', 'web-1-0', 'web-1-snapshot', ...latest]);
      model.bindings = [];
      assert.deepEqual(namesAfter(model), latest);
    });

    test('with a limit of 1 has no resources but the newest, also if bindings use others', () => {
      const model = start(1);
      model.bind('sea', 'web-1-snapshot', 'web-0');
      assert.deepEqual(namesAfter(model), ['web-0', 'web-3', 'web-3-0', 'web-3-snapshot']);
    });

    test('loses what is left of a group without its first snapshot', () => {
      const model = start(2);
      model.remove(family.resourceSnapshot, 'web-3-snapshot');
      assert.ok(!namesAfter(model).includes('web-3-0'));
    });

    test('is deleted once', () => {
      const model = start(1);
      for (const snapshot of model.resourceSnapshots) {
        const metadata = { ...snapshot.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
        model.put(family.resourceSnapshot, { ...snapshot, metadata });
      }
      assert.ok(historyDeletions(model.state).every(({ kind }) => kind === family.policySnapshot));
    });
  });
}
