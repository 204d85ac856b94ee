import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, onlyClustersAnnotation, type Condition, type PlacementFamily, type UpdateRun } from '@flotilla/api';
import { repeatedRun, reverseRun } from './next-run.ts';

function condition(type: string, status: Condition['status']): Condition {
  return { type, status, reason: 'Tested', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
}

function aRun(family: PlacementFamily, name = 'web', started: readonly string[] = ['a', 'b']): UpdateRun {
  const clusters = ['a', 'b', 'c'].map((clusterName) => ({
    clusterName,
    ...(started.includes(clusterName) && { conditions: [condition('Started', 'True')] }),
  }));
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: family.updateRun.kind,
    metadata: { name, ...(family.scope === 'Namespaced' && { namespace: 'shop' }) },
    spec: { placementName: 'app', stagedRolloutStrategyName: 'careful', state: 'Run' },
    status: {
      resourceSnapshotIndexUsed: '7',
      stagesStatus: [{ stageName: 'all', clusters }],
      conditions: [condition('Initialized', 'True'), condition('Succeeded', 'False')],
    },
  };
}

for (const family of families) {
  const namespace = family.scope === 'Namespaced' ? { namespace: 'shop' } : {};

  describe(`the rollback of a ${family.updateRun.kind}`, () => {
    test('goes to the snapshot before, with the same strategy, on the clusters that were updated', () => {
      assert.deepEqual(reverseRun(family, aRun(family), { indexes: [3, 5, 7, 8], runs: [] }), {
        apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
        kind: family.updateRun.kind,
        metadata: { name: 'web-rollback', ...namespace, annotations: { [onlyClustersAnnotation]: 'a,b' } },
        spec: {
          placementName: 'app',
          stagedRolloutStrategyName: 'careful',
          resourceSnapshotIndex: '5',
          state: 'Run',
        },
      });
    });

    test('goes to the snapshot that the user names', () => {
      const { metadata, spec } = reverseRun(family, aRun(family), { indexes: [], runs: [], toIndex: 9, name: 'undo' });
      assert.deepEqual([metadata.name, spec.resourceSnapshotIndex], ['undo', '9']);
    });

    test('goes to what the run before has rolled out, not to content that was rolled back', () => {
      const at = (hour: number, index: string, started?: readonly string[]): UpdateRun => {
        const run = aRun(family, `at-${hour}`, started);
        run.metadata.creationTimestamp = `2026-01-01T0${hour}:00:00Z`;
        return { ...run, status: { ...run.status, resourceSnapshotIndexUsed: index } };
      };
      const other = at(4, '4');
      other.spec = { ...other.spec, placementName: 'other' };
      // The run at 5 has changed nothing, that at 8 came later.
      const runs = [at(1, '5'), at(2, '6'), at(3, '5'), other, at(5, '4', []), at(8, '4')];
      const reverse = reverseRun(family, at(7, '7'), { indexes: [4, 5, 6, 7], runs });
      assert.equal(reverse.spec.resourceSnapshotIndex, '5');
    });

    test('is refused where there is nothing to go back to, or nothing was done', () => {
      const message = 'the placement app has no resource snapshot before 7; choose one of 8, 10 with --to-index.';
      assert.throws(() => reverseRun(family, aRun(family), { indexes: [10, 7, 8], runs: [] }), { message });
      assert.throws(
        () => reverseRun(family, aRun(family, 'web', []), { indexes: [6], runs: [] }),
        /has updated no cluster; /,
      );
    });

    test('is refused while the run is under way, with the command that stops it', () => {
      const run = aRun(family);
      run.status = { ...run.status, conditions: [condition('Initialized', 'True'), condition('Progressing', 'True')] };
      const where = family.scope === 'Namespaced' ? ' -n shop' : '';
      const command = new RegExp(`with: kubectl patch ${family.updateRun.kind.toLowerCase()} web${where} --type merge`);
      assert.throws(() => reverseRun(family, run, { indexes: [6], runs: [] }), command);
      assert.throws(() => repeatedRun(family, run, { names: new Set() }), command);
    });
  });
}

describe('the next run', () => {
  const [family] = families as [PlacementFamily];
  const nameAfter = (name: string, ...taken: string[]): string | undefined =>
    repeatedRun(family, aRun(family, name), { names: new Set(taken) }).metadata.name;

  test('counts its name up to the next free one', () => {
    assert.equal(nameAfter('web'), 'web-2');
    assert.equal(nameAfter('web', 'web-2', 'web-3'), 'web-4');
    assert.equal(nameAfter('web-9'), 'web-10');
    assert.equal(nameAfter('w'.repeat(63)), `${'w'.repeat(61)}-2`);
  });

  test('of a rollback is limited to the same clusters and the same snapshot', () => {
    const rollback = { ...reverseRun(family, aRun(family), { indexes: [6], runs: [] }), status: aRun(family).status };
    const { metadata, spec } = repeatedRun(family, rollback as UpdateRun, { names: new Set() });
    assert.deepEqual([metadata.annotations?.[onlyClustersAnnotation], spec.resourceSnapshotIndex], ['a,b', '6']);
  });

  test('of a run without an index rolls out what is selected then', () => {
    assert.equal(repeatedRun(family, aRun(family), { names: new Set() }).spec.resourceSnapshotIndex, undefined);
  });
});
