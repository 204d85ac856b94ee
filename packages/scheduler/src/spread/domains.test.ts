import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PlacementPolicy } from '@flotilla/api';
import type { SchedulingRequest } from '../scheduler.ts';
import { aBinding, aCluster, applied, schedule, scored, suiteFleet, type ClusterParts } from '../scheduling.testing.ts';

const overRegions: PlacementPolicy = {
  placementType: 'PickN',
  topologySpreadConstraints: [{ topologyKey: 'region', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
};

/** Two clusters in region a, and one in region b that cannot be chosen for some reason. */
function chosen(other: ClusterParts, request: Partial<SchedulingRequest> = {}): string[] {
  const clusters = [
    aCluster('cluster-1', { labels: { region: 'a' }, namespaces: { web: '' }, collectsNamespaces: 'True' }),
    aCluster('cluster-2', { labels: { region: 'a' }, namespaces: { web: '' }, collectsNamespaces: 'True' }),
    aCluster('cluster-3', { labels: { region: 'b' }, ...other }),
  ];
  const { decisions } = schedule({ policy: overRegions, numberOfClusters: 2, clusters, ...request });
  return decisions.filter(({ selected }) => selected).map(scored);
}

describe('a domain', () => {
  /** In KubeFleet it stays empty and blocks all others. */
  test('is not formed by a cluster that cannot be reached', () => {
    assert.deepEqual(chosen({ agent: null }), ['2(0,-1)', '1(0,-1)']);
    assert.deepEqual(chosen({ isLeaving: true }), ['2(0,-1)', '1(0,-1)']);
  });

  test("is not formed by a cluster without the placement's namespace, or beside the candidates", () => {
    const without = { namespaces: {}, collectsNamespaces: 'True' } as const;
    assert.deepEqual(chosen(without, { namespace: 'web' }), ['2(0,-1)', '1(0,-1)']);
    assert.deepEqual(chosen({}, { candidates: new Set(['cluster-1', 'cluster-2']) }), ['2(0,-1)', '1(0,-1)']);
  });

  test("is formed by a tainted cluster, as KubeFleet's suite asserts", () => {
    assert.deepEqual(chosen({ taints: [{ key: 'gpu', effect: 'NoSchedule' }] }), ['2(0,-1)']);
    const north = aCluster('north', { labels: { region: 'north' }, taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
    const two = applied([], schedule({ policy: overRegions, numberOfClusters: 2 }));
    const three = schedule({
      policy: overRegions,
      numberOfClusters: 3,
      clusters: [...suiteFleet, north],
      bindings: two,
    });
    assert.deepEqual(three.decisions.filter(({ selected }) => selected).map(scored), ['3(0,0)', '5(0,0)', '7(0,-1)']);
  });

  test('counts a cluster that was chosen, even if it cannot be reached today', () => {
    const bindings = [aBinding('cluster-3', 'Bound', 'shop-1')];
    assert.deepEqual(chosen({ agent: null }, { bindings }), ['2(0,1)', '3']);
  });

  test('is nothing for clusters without the label: they are never refused', () => {
    const clusters = ['1', '2', '3'].map((number) => aCluster(`cluster-${number}`));
    const { decisions } = schedule({ policy: overRegions, numberOfClusters: 3, clusters });
    assert.deepEqual(decisions.map(scored), ['3(0,0)', '2(0,0)', '1(0,0)']);
  });
});

test('a refusal says which constraint, and how many clusters the domains have', () => {
  const { verdicts, decisions } = schedule({ policy: overRegions, numberOfClusters: 2 });
  assert.deepEqual(verdicts.of('cluster-6-west-prod'), {
    cluster: 'cluster-6-west-prod',
    outcome: 'Rejected',
    rejection: {
      plugin: 'TopologySpreadConstraints',
      reasons: ['violated doNotSchedule topology spread constraint "region" (max skew 1)'],
      evidence: {
        kind: 'spread',
        topologyKey: 'region',
        domain: 'west',
        count: 1,
        smallest: 0,
        largest: 1,
        maxSkew: 1,
      },
    },
    support: { scores: [] },
    place: 4,
  });
  assert.ok(
    decisions.some(
      ({ reason }) =>
        reason === 'ClusterUnschedulable, violated doNotSchedule topology spread constraint "region" (max skew 1)',
    ),
  );
  assert.deepEqual(verdicts.of('cluster-4-central-prod'), {
    cluster: 'cluster-4-central-prod',
    outcome: 'Outscored',
    score: { affinity: 0, spread: 0 },
    support: { scores: [] },
    place: 5,
  });
});

test('of many constraints the first sixteen count, which the condition says', () => {
  const topologySpreadConstraints = Array.from({ length: 17 }, () => ({
    topologyKey: 'region',
    maxSkew: 1,
    whenUnsatisfiable: 'ScheduleAnyway' as const,
  }));
  const policy: PlacementPolicy = { placementType: 'PickN', topologySpreadConstraints };
  const { decisions, condition } = schedule({ policy, numberOfClusters: 1 });
  assert.equal(decisions[0] && scored(decisions[0]), '7(0,-16)');
  assert.match(condition.message, /; topology spread constraints after the first 16 are ignored$/);
});
