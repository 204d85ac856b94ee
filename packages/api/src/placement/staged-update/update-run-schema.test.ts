import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { testRules, type RuleCase } from '../../rules.testing.ts';
import { ServedKind } from '../../served-kind.testing.ts';
import { clusterStagedUpdateRunDefinition, stagedUpdateRunDefinition } from './update-run-schema.ts';

const run = (spec: JsonObject): JsonObject => ({
  spec: { placementName: 'app', resourceSnapshotIndex: '1', stagedRolloutStrategyName: 'canary', ...spec },
});
const move = (from: string, to: string) => ({ from: run({ state: from }), to: run({ state: to }) });
const named = (length: number) => ({ create: { ...run({}), metadata: { name: 'a'.repeat(length) } } });
const ended = 'invalid state transition: Abandoned is a terminal state and cannot transition to any other state';

const rules: readonly RuleCase[] = [
  {
    title: 'has a name that fits into a label',
    refused: named(64),
    says: '<nil>: Invalid value: metadata.name max length is 63',
    accepted: named(63),
  },
  {
    title: 'cannot be stopped before it runs',
    refused: move('Initialize', 'Stop'),
    says: 'spec: Invalid value: invalid state transition: cannot transition from Initialize to Stop',
    accepted: move('Initialize', 'Run'),
  },
  {
    title: 'is not initialized again while it runs',
    refused: move('Run', 'Initialize'),
    says: 'spec: Invalid value: invalid state transition: cannot transition from Run to Initialize',
    accepted: move('Run', 'Stop'),
  },
  {
    title: 'is not initialized again after it stopped',
    refused: move('Stop', 'Initialize'),
    says: 'spec: Invalid value: invalid state transition: cannot transition from Stop to Initialize',
    accepted: move('Stop', 'Run'),
  },
  // docs/seed-promises.md: a run can be abandoned.
  ...['Initialize', 'Run', 'Stop'].map((state) => ({
    title: `goes from ${state} to Abandoned and never back`,
    refused: move('Abandoned', state),
    says: `spec.state: Invalid value: "${state}": ${ended}`,
    accepted: move(state, 'Abandoned'),
  })),
  {
    title: 'keeps its placement',
    refused: { from: run({}), to: run({ placementName: 'other' }) },
    says: 'spec.placementName: Invalid value: "other": placementName is immutable',
    accepted: { from: run({}), to: run({}) },
  },
  {
    title: 'keeps its resource snapshot index',
    refused: { from: run({}), to: run({ resourceSnapshotIndex: '2' }) },
    says: 'spec.resourceSnapshotIndex: Invalid value: "2": resourceSnapshotIndex is immutable',
    accepted: { from: run({}), to: run({ state: 'Run' }) },
  },
  {
    title: 'keeps its strategy',
    refused: { from: run({}), to: run({ stagedRolloutStrategyName: 'other' }) },
    says: 'spec.stagedRolloutStrategyName: Invalid value: "other": stagedRolloutStrategyName is immutable',
    accepted: { from: run({}), to: run({}) },
  },
];

for (const twin of [clusterStagedUpdateRunDefinition, stagedUpdateRunDefinition]) {
  testRules(twin, ['v1', 'v1beta1'], rules);

  describe(`a new ${twin.spec.names.kind}`, () => {
    const kind = new ServedKind(twin, 'v1beta1');

    test('is initialized and does not start', () => {
      assert.deepEqual(kind.stored(run({}))['spec'], run({ state: 'Initialize' })['spec']);
    });

    test('may start in any state', () => {
      for (const state of ['Initialize', 'Run', 'Stop', 'Abandoned']) {
        assert.deepEqual(kind.refusals({ create: run({ state }) }), []);
      }
    });
  });

  test(`kubectl shows the progress of a ${twin.spec.names.kind}`, () => {
    const stored = twin.spec.versions.find(({ storage }) => storage);
    assert.deepEqual(namesOf(stored?.additionalPrinterColumns), [
      'Placement',
      'Resource-Snapshot-Index',
      'Policy-Snapshot-Index',
      'Initialized',
      'Progressing',
      'Succeeded',
      'Age',
      'Strategy (wide)',
    ]);
  });
}

testRules(
  clusterStagedUpdateRunDefinition,
  ['v1alpha1'],
  [
    {
      title: 'may have a longer name',
      refused: named(128),
      says: '<nil>: Invalid value: metadata.name max length is 127',
      accepted: named(127),
    },
    {
      title: 'never changes',
      refused: { from: run({}), to: run({ placementName: 'other' }) },
      says: 'spec: Invalid value: The spec field is immutable',
      accepted: { from: run({}), to: run({}) },
    },
  ],
);

describe('ClusterStagedUpdateRun v1alpha1', () => {
  const kind = new ServedKind(clusterStagedUpdateRunDefinition, 'v1alpha1');

  test('has no state', () => {
    assert.deepEqual(kind.stored(run({ state: 'Run' }))['spec'], run({})['spec']);
  });

  test('needs an index', () => {
    const { resourceSnapshotIndex: _, ...spec } = run({})['spec'] as JsonObject;
    assert.equal(kind.refusals({ create: { spec } })[0], 'spec.resourceSnapshotIndex: Required value');
  });

  test('has no tasks before a stage', () => {
    const stage = { stageName: 'first', clusters: [] };
    const status = {
      resourceSnapshotIndexUsed: '1',
      stagedUpdateStrategySnapshot: { stages: [{ name: 'first', maxConcurrency: 2, beforeStageTasks: [] }] },
      stagesStatus: [{ ...stage, beforeStageTaskStatus: [] }],
      deletionStageStatus: { ...stage, beforeStageTaskStatus: [] },
    };
    assert.deepEqual(kind.stored({ ...run({}), status })['status'], {
      stagedUpdateStrategySnapshot: { stages: [{ name: 'first' }] },
      stagesStatus: [stage],
      deletionStageStatus: stage,
    });
  });

  test('does not show whether it progresses', () => {
    const v1alpha1 = clusterStagedUpdateRunDefinition.spec.versions.find(({ name }) => name === 'v1alpha1');
    assert.ok(!namesOf(v1alpha1?.additionalPrinterColumns).includes('Progressing'));
  });
});

function namesOf(columns: readonly { name: string; priority?: number }[] = []): string[] {
  return columns.map(({ name, priority }) => (priority ? `${name} (wide)` : name));
}
