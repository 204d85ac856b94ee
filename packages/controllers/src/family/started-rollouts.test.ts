import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { clusterFamily, type Binding } from '@flotilla/api';
import { aBinding, aCondition, started as said } from '../rollout/rollout.testing.ts';
import { leftToWorksMs, StartedRollouts } from './started-rollouts.ts';

const spec = { state: 'Bound', resourceSnapshotName: 'p-1-snapshot' };
const condition = { ...said, observedGeneration: 3 };

describe('a rollout that has started', () => {
  let elapsedMs: number;
  let rollouts: StartedRollouts;
  /** As it was decided about. */
  const before = aBinding(clusterFamily, 'a', { conditions: [said] });
  const withSpec = (changes: Partial<Binding['spec']>, generation = 3): Binding => ({
    ...before,
    metadata: { ...before.metadata, generation },
    spec: { ...before.spec, ...changes },
  });
  const after = withSpec({ resourceSnapshotName: 'p-1-snapshot' });
  const startOf = (binding: Binding): number | undefined =>
    rollouts.shown(binding).status?.conditions?.find(({ type }) => type === 'RolloutStarted')?.observedGeneration;

  beforeEach(() => {
    elapsedMs = 0;
    rollouts = new StartedRollouts({ elapsed: () => elapsedMs });
    rollouts.announce({ steps: [], started: [{ binding: before, spec, condition }] });
  });

  test('is shown with the binding once its change is', () => {
    assert.equal(rollouts.shown(before), before);
    assert.equal(startOf(after), 3);
    assert.deepEqual(rollouts.shown(after).status?.conditions, [condition]);
  });

  test('is not shown if another change made the generation', () => {
    assert.equal(startOf(withSpec({ resourceSnapshotName: 'p-2-snapshot' })), 2);
    assert.equal(startOf(withSpec({ state: 'Unscheduled', resourceSnapshotName: 'p-1-snapshot' })), 2);
    assert.equal(startOf(withSpec({ resourceSnapshotName: 'p-1-snapshot' }, 4)), 2);
  });

  test('is left to works for some time, and shown to it for ever', () => {
    elapsedMs = 1_000;
    const other = aBinding(clusterFamily, 'b');
    const { bindings, leftForMs } = rollouts.left([after, other]);
    assert.deepEqual([bindings[0]?.status?.conditions, bindings[1]], [[condition], other]);
    assert.equal(leftForMs, leftToWorksMs - 1_000);
    elapsedMs = leftToWorksMs;
    assert.deepEqual(rollouts.left([after, other]), { bindings: [after, other] });
    assert.equal(startOf(after), 3);
  });

  test('is forgotten when the binding says it, or is gone', () => {
    const elsewhere = { ...after, status: { conditions: [aCondition('Applied', 'True', { generation: 3 }), said] } };
    rollouts.changed(elsewhere, after);
    assert.equal(startOf(after), 3);
    rollouts.changed({ ...after, status: { conditions: [condition] } }, after);
    assert.equal(startOf(after), 2);
    rollouts.announce({ steps: [], started: [{ binding: before, spec, condition }] });
    rollouts.changed(undefined, after);
    assert.equal(startOf(after), 2);
  });
});
