import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { testRules, type RuleCase } from '../../rules.testing.ts';
import { ServedKind } from '../../served-kind.testing.ts';
import { clusterStagedUpdateStrategyDefinition, stagedUpdateStrategyDefinition } from './update-strategy-schema.ts';

const stage = (fields: JsonObject): JsonObject => ({ spec: { stages: [{ name: 'first', ...fields }] } });
const after = (...afterStageTasks: JsonObject[]) => ({ create: stage({ afterStageTasks }) });
const before = (...beforeStageTasks: JsonObject[]) => ({ create: stage({ beforeStageTasks }) });

const rules: readonly RuleCase[] = [
  {
    title: 'an approval after a stage has no wait time',
    refused: after({ type: 'Approval', waitTime: '1h' }),
    says: 'spec.stages[0].afterStageTasks: Invalid value: AfterStageTaskType is Approval, waitTime is not allowed',
    accepted: after({ type: 'Approval' }),
  },
  {
    title: 'a wait after a stage has a wait time',
    refused: after({ type: 'TimedWait' }),
    says: 'spec.stages[0].afterStageTasks: Invalid value: AfterStageTaskType is TimedWait, waitTime is required',
    accepted: after({ type: 'TimedWait', waitTime: '1h30m' }, { type: 'Approval' }),
  },
  {
    title: 'an approval before a stage has no wait time',
    refused: before({ type: 'Approval', waitTime: '1h' }),
    says: 'spec.stages[0].beforeStageTasks: Invalid value: AfterStageTaskType is Approval, waitTime is not allowed',
    accepted: before({ type: 'Approval' }),
  },
  {
    title: 'no TimedWait before a stage',
    refused: before({ type: 'TimedWait', waitTime: '1h' }),
    says: 'spec.stages[0].beforeStageTasks: Invalid value: BeforeStageTaskType cannot be TimedWait',
    accepted: before(),
  },
  {
    title: 'the concurrency of a stage is at least one cluster',
    refused: { create: stage({ maxConcurrency: 0 }) },
    says: 'spec.stages[0].maxConcurrency: Invalid value: 0: maxConcurrency must be at least 1',
    accepted: { create: stage({ maxConcurrency: '1%' }) },
  },
];

for (const twin of [clusterStagedUpdateStrategyDefinition, stagedUpdateStrategyDefinition]) {
  testRules(twin, ['v1', 'v1beta1'], rules);

  test(`a ${twin.spec.names.kind} updates one cluster at a time by default`, () => {
    assert.deepEqual(new ServedKind(twin, 'v1beta1').stored(stage({})), {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: twin.spec.names.kind,
      metadata: { name: 'app' },
      ...stage({ maxConcurrency: 1 }),
    });
  });
}

describe('the concurrency of a stage', () => {
  const kind = new ServedKind(stagedUpdateStrategyDefinition, 'v1beta1');

  test('is between 1% and 100%', () => {
    for (const share of ['1%', '25%', '100%'])
      assert.deepEqual(kind.refusals({ create: stage({ maxConcurrency: share }) }), []);
    for (const share of ['0%', '101%', '05%', '5'])
      assert.equal(kind.refusals({ create: stage({ maxConcurrency: share }) }).length, 1);
  });
});

describe('ClusterStagedUpdateStrategy v1alpha1', () => {
  const kind = new ServedKind(clusterStagedUpdateStrategyDefinition, 'v1alpha1');

  test('does not validate the tasks after a stage', () => {
    for (const task of [{ type: 'Approval', waitTime: '1h' }, { type: 'TimedWait' }]) {
      assert.deepEqual(kind.refusals(after(task)), []);
    }
  });

  test('may wait for a bare 0, which later versions refuse', () => {
    const wait = after({ type: 'TimedWait', waitTime: '0' });
    assert.deepEqual(kind.refusals(wait), []);
    assert.equal(new ServedKind(clusterStagedUpdateStrategyDefinition, 'v1beta1').refusals(wait).length, 1);
  });

  test('has no tasks before a stage, and one cluster at a time', () => {
    assert.deepEqual(
      kind.stored(stage({ maxConcurrency: 5, beforeStageTasks: [{ type: 'Approval' }] }))['spec'],
      stage({})['spec'],
    );
  });
});
