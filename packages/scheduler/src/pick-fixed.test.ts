import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlacementPolicy } from '@flotilla/api';
import { aBinding, aCluster, changesIn, schedule } from './scheduling.testing.ts';

const clusters = ['cluster-1', 'cluster-2', 'cluster-3', 'cluster-4'].map((name) => aCluster(name));
const old = 'shop-0';

describe('PickFixed', () => {
  const fixed = (...clusterNames: string[]): PlacementPolicy => ({ placementType: 'PickFixed', clusterNames });

  test('reports every name: chosen, not eligible, not found', () => {
    const { decisions, condition, verdicts } = schedule({
      clusters: [...clusters, aCluster('dark', { agent: null })],
      policy: fixed('nowhere', 'dark', 'cluster-2', 'cluster-1', 'cluster-2'),
    });
    assert.deepEqual(
      decisions.map(({ reason }) => reason),
      [
        'Successfully scheduled resources for placement in "cluster-2": picked by scheduling policy',
        'Successfully scheduled resources for placement in "cluster-1": picked by scheduling policy',
        'Cluster "dark" is not eligible for resource placement yet: cluster is not connected to the fleet: member agent not online yet',
        'Specified cluster "nowhere" is not found',
      ],
    );
    assert.ok(decisions.every((decision) => decision.clusterScore === undefined));
    assert.deepEqual(condition, {
      type: 'Scheduled',
      status: 'False',
      reason: 'SchedulingPolicyUnfulfilled',
      message: 'could not find all clusters needed as specified by the scheduling policy, found 2 cluster(s) instead',
    });
    assert.deepEqual(
      [...verdicts].map(({ cluster, outcome }) => `${cluster} ${outcome}`),
      [
        'cluster-1 Picked',
        'cluster-2 Picked',
        'cluster-3 Rejected',
        'cluster-4 Rejected',
        'dark Rejected',
        'nowhere Absent',
      ],
    );
  });

  test('ignores taints and labels', () => {
    const tainted = [aCluster('sea', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] })];
    assert.deepEqual(changesIn(schedule({ clusters: tainted, policy: fixed('sea') })), ['create sea']);
  });

  test('without names gives up all bindings, where KubeFleet leaves them and stays pending', () => {
    const outcome = schedule({ clusters, policy: fixed(), bindings: [aBinding('cluster-1', 'Bound', old)] });
    assert.deepEqual(changesIn(outcome), ['unschedule cluster-1']);
    assert.equal(outcome.condition.status, 'True');
    assert.equal(
      outcome.condition.message,
      'found all cluster needed as specified by the scheduling policy, found 0 cluster(s)',
    );
  });
});
