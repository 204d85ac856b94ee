import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { clusterFamily, type Condition, type StageStatus, type UpdateRunStatus } from '@flotilla/api';
import { formatTime, type KubeObject } from '@flotilla/kube';
import { startMeasuredHub, type MeasuredHub } from '../family/measured-hub.testing.ts';
import { userError } from './run-abort.ts';
import { measureUpdateRuns } from './run-metrics.ts';

const { updateRun } = clusterFamily;
const prefix = 'fleet_workload_update_run_';

describe('the metrics of update runs', () => {
  let hub: MeasuredHub['hub'];
  let metrics: MeasuredHub['metrics'];
  let stop: MeasuredHub['stop'];
  before(async () => {
    ({ hub, metrics, stop } = await startMeasuredHub(measureUpdateRuns));
  });
  after(() => stop());

  /** The values of the labels, without the namespace, which is empty. */
  function states(): string[] {
    return linesOf('status_last_timestamp_seconds').map((line) =>
      [...line.matchAll(/="([^"]+)"/g)].map(([, value]) => value).join(' '),
    );
  }

  function linesOf(name: string): string[] {
    return metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith(`${prefix}${name}`));
  }

  function condition(type: string, status: Condition['status'], reason: string, changes: Partial<Condition> = {}) {
    const lastTransitionTime = formatTime(new Date(hub.clock.now()));
    return { type, status, reason, message: '', observedGeneration: 1, lastTransitionTime, ...changes };
  }

  async function createRun(name: string): Promise<void> {
    const spec = { placementName: 'web', stagedRolloutStrategyName: 'waves', state: 'Run' };
    await hub.server.create(updateRun, { metadata: { name }, spec });
  }

  async function report(name: string, status: UpdateRunStatus): Promise<void> {
    const value = { status } as unknown as KubeObject;
    await hub.client.patch(updateRun, { name }, { type: 'merge', value }, { subresource: 'status' });
    await hub.settle();
  }

  test('have one series for the state of a run, by its most telling condition', async () => {
    await createRun('one');
    await hub.settle();
    assert.deepEqual(states(), []);
    const initialized = condition('Initialized', 'True', 'UpdateRunInitializedSuccessfully');
    const ended = { message: userError('the cluster went') };
    const table: readonly (readonly [Condition[], string])[] = [
      [[initialized], 'Initialized True UpdateRunInitializedSuccessfully none'],
      [[condition('Progressing', 'False', 'UpdateRunWaiting')], 'Progressing False UpdateRunWaiting none'],
      [[condition('Progressing', 'False', 'UpdateRunStuck')], 'Progressing False UpdateRunStuck internal_error'],
      [[condition('Succeeded', 'False', 'UpdateRunFailed')], 'Succeeded False UpdateRunFailed internal_error'],
      [[condition('Succeeded', 'False', 'UpdateRunFailed', ended)], 'Succeeded False UpdateRunFailed user_error'],
      [
        [condition('Succeeded', 'True', 'UpdateRunSucceeded', { observedGeneration: 0 })],
        'Initialized True UpdateRunInitializedSuccessfully none',
      ],
    ];
    for (const [conditions, expected] of table) {
      await report('one', { conditions: [initialized, ...conditions.filter((one) => one !== initialized)] });
      assert.deepEqual(states(), [`one Run ${expected}`]);
    }
  });

  test('count how long approvals and the clusters of a stage took, once', async () => {
    await createRun('two');
    const startTime = formatTime(new Date(hub.clock.now()));
    const created = condition('ApprovalRequestCreated', 'True', 'StageTaskApprovalRequestCreated');
    const stage = (conditions: Condition[], clusterConditions: Condition[]): StageStatus => ({
      stageName: 'canary',
      startTime,
      clusters: [{ clusterName: 'sea', conditions: clusterConditions }],
      beforeStageTaskStatus: [{ type: 'Approval', approvalRequestName: 'two-before-canary', conditions }],
    });
    await report('two', { stagesStatus: [stage([created], [])] });
    await hub.clock.advance(90_000);
    const approved = condition('ApprovalRequestApproved', 'True', 'StageTaskApprovalRequestApproved');
    await report('two', { stagesStatus: [stage([created, approved], [])] });
    await hub.clock.advance(10_000);
    const done = condition('Succeeded', 'True', 'ClusterUpdatingSucceeded');
    await report('two', { stagesStatus: [stage([created, approved], [done])] });
    await report('two', {
      stagesStatus: [{ ...stage([created, approved], [done]), endTime: startTime }],
    });
    const wanted = [
      'approval_request_latency_seconds_bucket{namespace="",name="two",taskType="beforeStage",le="60"} 0',
      'approval_request_latency_seconds_bucket{namespace="",name="two",taskType="beforeStage",le="300"} 1',
      'approval_request_latency_seconds_count{namespace="",name="two",taskType="beforeStage"} 1',
      'stage_cluster_updating_duration_seconds_bucket{namespace="",name="two",le="60"} 0',
      'stage_cluster_updating_duration_seconds_bucket{namespace="",name="two",le="120"} 1',
      'stage_cluster_updating_duration_seconds_count{namespace="",name="two"} 1',
    ];
    const lines = [...linesOf('approval'), ...linesOf('stage')];
    assert.deepEqual(
      wanted.filter((line) => !lines.includes(`${prefix}${line}`)),
      [],
      lines.join('\n'),
    );
  });

  test('go with the run', async () => {
    await hub.client.delete(updateRun, { name: 'one' });
    await hub.client.delete(updateRun, { name: 'two' });
    await hub.settle();
    assert.deepEqual([...states(), ...linesOf('')], []);
  });
});
