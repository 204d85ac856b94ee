import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Binding } from '@flotilla/api';
import type { SchedulingRequest } from './scheduler.ts';
import { aBinding, aCluster, changesIn, schedule, scored, unscheduled } from './scheduling.testing.ts';

const clusters = ['cluster-1', 'cluster-2', 'cluster-3', 'cluster-4'].map((name) => aCluster(name));
const old = 'shop-0';
const current = 'shop-1';

const policies: Record<string, Partial<SchedulingRequest>> = {
  PickAll: { policy: { placementType: 'PickAll' } },
  PickFixed: {
    policy: { placementType: 'PickFixed', clusterNames: clusters.map(({ metadata }) => metadata.name ?? '') },
  },
  PickN: { policy: { placementType: 'PickN' }, numberOfClusters: 4 },
};

for (const [type, policy] of Object.entries(policies)) {
  describe(`${type} and the bindings that exist`, () => {
    const changes = (bindings: readonly Binding[], more: Partial<SchedulingRequest> = {}): string[] =>
      changesIn(schedule({ clusters, ...policy, bindings, ...more }));
    const rest = (...taken: string[]): string[] =>
      (type === 'PickN' ? ['4', '3', '2', '1'] : ['1', '2', '3', '4'])
        .filter((number) => !taken.includes(number))
        .map((number) => `create cluster-${number}`);

    test('creates bindings for clusters without any', () => assert.deepEqual(changes([]), rest()));

    test('leaves those of the current snapshot alone', () => {
      const bindings = [aBinding('cluster-1', 'Scheduled', current), aBinding('cluster-2', 'Bound', current)];
      assert.deepEqual(changes(bindings), rest('1', '2'));
    });

    test('gives up those of clusters that are no candidates any more, unless they are leaving', () => {
      const bindings = [
        aBinding('cluster-1', 'Bound', current),
        aBinding('cluster-2', 'Bound', current),
        aBinding('cluster-4', 'Bound', current),
      ];
      const leaving = clusters.map((cluster) =>
        cluster === clusters[3] ? aCluster('cluster-4', { isLeaving: true }) : cluster,
      );
      const candidates = new Set(['cluster-1', 'cluster-3']);
      const more = { clusters: leaving, candidates };
      assert.deepEqual(changes(bindings, more), ['unschedule cluster-2', 'create cluster-3']);
      assert.deepEqual(changes(bindings, { ...more, keepsOthers: true }), ['create cluster-3']);
    });

    test('takes over those of an earlier snapshot in their state', () => {
      const bindings = [aBinding('cluster-1', 'Scheduled', old), aBinding('cluster-2', 'Bound', old)];
      assert.deepEqual(changes(bindings), [...rest('1', '2'), 'patch cluster-1 Scheduled', 'patch cluster-2 Bound']);
    });

    test('restores those that were given up to their previous state', () => {
      const bindings = [
        unscheduled(aBinding('cluster-1', 'Scheduled', old)),
        unscheduled(aBinding('cluster-2', 'Bound', current)),
        aBinding('cluster-3', 'Unscheduled', current),
      ];
      const outcome = schedule({ clusters, ...policy, bindings });
      assert.deepEqual(changesIn(outcome), [
        ...rest('1', '2', '3'),
        'patch cluster-1 Scheduled',
        'patch cluster-2 Bound',
        // Its annotation is missing.
        'patch cluster-3 Scheduled',
      ]);
      assert.ok(outcome.changes.every((change) => change.type !== 'patch' || change.isRestored));
    });

    test('takes over one binding of a cluster, the one that still counts', () => {
      const bindings = [
        unscheduled(aBinding('cluster-1', 'Bound', old, { name: 'a' })),
        aBinding('cluster-1', 'Bound', old, { name: 'b' }),
        aBinding('cluster-1', 'Scheduled', old, { name: 'c' }),
      ];
      const { changes: made } = schedule({ clusters, ...policy, bindings });
      const named = made.flatMap((change) =>
        change.type === 'create' ? [] : [`${change.type} ${change.binding.metadata.name}`],
      );
      assert.deepEqual(named, ['patch b', 'unschedule c']);
    });

    test('gives up those whose cluster is gone', () => {
      const bindings = [aBinding('gone', 'Bound', current), aBinding('lost', 'Scheduled', old)];
      assert.deepEqual(changes(bindings), ['unschedule gone', 'unschedule lost', ...rest()]);
    });

    test('keeps those of a cluster that is leaving until it is gone, where KubeFleet deletes its resources', () => {
      const leaving = clusters.map((one) => aCluster(one.metadata.name ?? '', { isLeaving: one === clusters[0] }));
      const kept = [aBinding('cluster-1', 'Bound', current)];
      assert.deepEqual(changes(kept, { clusters: leaving }), rest('1'));
      assert.deepEqual(changes([aBinding('cluster-1', 'Bound', old)], { clusters: leaving }), rest('1'));
      const { decisions } = schedule({ clusters: leaving, ...policy, bindings: kept });
      assert.equal(decisions.find(({ clusterName }) => clusterName === 'cluster-1')?.selected, true);
    });

    test('releases those that are being deleted, and replaces them', () => {
      const deleted = { deletionTimestamp: '2026-01-01T11:00:00Z' };
      const bindings = [
        aBinding('cluster-1', 'Bound', current, deleted),
        aBinding('cluster-2', 'Bound', current, { ...deleted, finalizers: ['kubernetes-fleet.io/work-cleanup'] }),
      ];
      const outcome = schedule({ clusters, ...policy, bindings });
      assert.deepEqual(changesIn(outcome), ['release cluster-1', ...rest()]);
      const replaced = outcome.changes.flatMap((change) =>
        'replaces' in change && change.replaces ? [change.replaces] : [],
      );
      assert.deepEqual(new Set(replaced), new Set(bindings));
    });

    test('gives up those of an earlier snapshot whose cluster no longer fits', () => {
      const unfit = clusters.map((one) =>
        aCluster(one.metadata.name ?? '', { agent: one === clusters[0] ? null : {} }),
      );
      assert.deepEqual(changes([aBinding('cluster-1', 'Bound', old)], { clusters: unfit }), [
        ...rest('1'),
        'unschedule cluster-1',
      ]);
    });

    test('keeps those of the current snapshot whose cluster no longer fits', () => {
      const unfit = clusters.map((one) =>
        aCluster(one.metadata.name ?? '', { agent: one === clusters[0] ? null : {} }),
      );
      const outcome = schedule({ clusters: unfit, ...policy, bindings: [aBinding('cluster-1', 'Bound', current)] });
      assert.deepEqual(changesIn(outcome), rest('1'));
      assert.equal(outcome.condition.status, 'True');
      const verdict = outcome.verdicts.of('cluster-1');
      assert.equal(verdict?.outcome, 'Kept');
      assert.equal(verdict?.rejection?.plugin, 'ClusterEligibility');
    });
  });
}

test('a created binding has what the stages after it need', () => {
  const [binding] = schedule({ clusters: [aCluster('sea')], ...policies['PickN'] }).changes;
  assert.deepEqual(binding, {
    type: 'create',
    cluster: 'sea',
    spec: {
      state: 'Scheduled',
      resourceSnapshotName: '',
      schedulingPolicySnapshotName: current,
      targetCluster: 'sea',
      clusterDecision: {
        clusterName: 'sea',
        selected: true,
        clusterScore: { affinityScore: 0, priorityScore: 0 },
        reason:
          'Successfully scheduled resources for placement in "sea" (affinity score: 0, topology spread score: 0): picked by scheduling policy',
      },
    },
  });
});

test('preferred affinity is ignored for PickAll', () => {
  const affinity = {
    clusterAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 10, preference: { labelSelector: {} } }],
    },
  };
  const { decisions } = schedule({ clusters, policy: { placementType: 'PickAll', affinity } });
  assert.deepEqual(decisions.map(scored), ['1(0,0)', '2(0,0)', '3(0,0)', '4(0,0)']);
});
