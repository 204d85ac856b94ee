import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { updateRunReasons, type Condition, type UpdateRun, type UpdateRunStatus } from '@flotilla/api';
import { progressOf } from './run-progress.ts';

const now = new Date('2026-01-01T00:01:00Z');

function condition(type: string, status: Condition['status'] = 'True', reason = 'Tested', message = ''): Condition {
  return { type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
}

function aRun(status: UpdateRunStatus, state: UpdateRun['spec']['state'] = 'Run'): UpdateRun {
  return {
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'ClusterStagedUpdateRun',
    metadata: { name: 'web' },
    spec: { placementName: 'web', stagedRolloutStrategyName: 'careful', state },
    status,
  };
}

const updated = [condition('Started'), condition('Succeeded')];

describe('the state of a run', () => {
  const initialized = condition('Initialized');
  const progressing = (reason: string): Condition[] => [initialized, condition('Progressing', 'False', reason)];
  const states: readonly (readonly [Condition[], string, message?: string])[] = [
    [[], 'Pending'],
    [[condition('Initialized', 'False', 'Tested', 'no placement')], 'Failed', 'no placement'],
    [[initialized], 'Initialized'],
    [progressing(updateRunReasons.progressing), 'Running'],
    [progressing(updateRunReasons.waiting), 'Waiting'],
    [progressing(updateRunReasons.stuck), 'Stuck'],
    [progressing(updateRunReasons.stopping), 'Stopping'],
    [progressing(updateRunReasons.stopped), 'Stopped'],
    [[initialized, condition('Succeeded')], 'Succeeded'],
    [[initialized, condition('Succeeded', 'False', updateRunReasons.failed, 'too bad')], 'Failed', 'too bad'],
    [[initialized, condition('Succeeded', 'False', updateRunReasons.abandoned, 'no more')], 'Abandoned', 'no more'],
  ];
  for (const [conditions, state, message = ''] of states) {
    const shown = conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`).join(', ');
    test(`is ${state} with ${shown || 'no condition'}`, () => {
      const progress = progressOf(aRun({ conditions }), now);
      assert.deepEqual([progress.state, progress.message], [state, message]);
    });
  }
});

describe('what a run waits for', () => {
  const waiting = [condition('Initialized'), condition('Progressing', 'False', updateRunReasons.waiting)];

  test('is the user, if the run is prepared or stopped', () => {
    const { waitingFor } = progressOf(aRun({ conditions: [condition('Initialized')] }, 'Initialize'), now);
    assert.deepEqual(waitingFor, ['spec.state: Run']);
  });

  test('is an approval before a stage, and no wait of the time after it', () => {
    const request = { type: 'Approval' as const, approvalRequestName: 'web-before-b' };
    const stagesStatus = [
      { stageName: 'a', clusters: [{ clusterName: 'a1', conditions: updated }], conditions: [condition('Succeeded')] },
      {
        stageName: 'b',
        clusters: [{ clusterName: 'b1' }],
        conditions: [condition('Progressing', 'False')],
        beforeStageTaskStatus: [{ ...request, conditions: [condition('ApprovalRequestCreated')] }],
        afterStageTaskStatus: [{ type: 'TimedWait' as const }],
      },
    ];
    const { stage, updated: done, clusters, waitingFor } = progressOf(aRun({ conditions: waiting, stagesStatus }), now);
    assert.deepEqual([stage, done, clusters, waitingFor], ['b', 1, 2, ['approval web-before-b']]);
  });

  test('is the rest of a wait, counted from the last cluster of the stage', () => {
    const stagesStatus = [
      {
        stageName: 'a',
        clusters: [{ clusterName: 'a1', conditions: updated }],
        conditions: [condition('Progressing', 'False')],
        afterStageTaskStatus: [{ type: 'TimedWait' as const }],
      },
    ];
    const stages = [
      { name: 'a', maxConcurrency: 1, afterStageTasks: [{ type: 'TimedWait' as const, waitTime: '90s' }] },
    ];
    const run = aRun({ conditions: waiting, stagesStatus, stagedUpdateStrategySnapshot: { stages } });
    assert.deepEqual(progressOf(run, now).waitingFor, ['30s of wait']);
  });

  test('is the first clusters in flight, and the number of the others', () => {
    const clusters = ['a', 'b', 'c', 'd', 'e'].map((clusterName) => ({
      clusterName,
      conditions: [condition('Started')],
    }));
    const stagesStatus = [{ stageName: 'a', clusters, conditions: [condition('Progressing')] }];
    assert.deepEqual(progressOf(aRun({ conditions: waiting, stagesStatus }), now).waitingFor, [
      'a',
      'b',
      'c',
      '2 more',
    ]);
  });
});
