import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Binding, PlacementPolicy } from '@flotilla/api';
import { aBinding, aCluster, applied, changesIn, schedule, scored } from './scheduling.testing.ts';

const clusters = ['cluster-1', 'cluster-2', 'cluster-3', 'cluster-4'].map((name) => aCluster(name));
const old = 'shop-0';
const current = 'shop-1';

describe('PickN with fewer clusters', () => {
  const scoredBinding = (
    cluster: string,
    state: 'Scheduled' | 'Bound',
    score: Binding['spec']['clusterDecision']['clusterScore'],
  ): Binding => {
    const binding = aBinding(cluster, state, current);
    const clusterDecision = { ...binding.spec.clusterDecision, ...(score && { clusterScore: score }) };
    return { ...binding, spec: { ...binding.spec, clusterDecision } };
  };
  const score = (priorityScore: number, affinityScore: number) => ({ priorityScore, affinityScore });
  const bindings = [
    scoredBinding('cluster-1', 'Bound', score(0, 5)),
    scoredBinding('cluster-2', 'Bound', score(-1, 9)),
    scoredBinding('cluster-3', 'Scheduled', undefined),
    scoredBinding('cluster-4', 'Scheduled', score(0, 0)),
  ];
  const left = (numberOfClusters: number): string[] =>
    changesIn(schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters, bindings }));

  test('gives up those that were not rolled out first, and the lowest score first', () => {
    assert.deepEqual(left(4), []);
    assert.deepEqual(left(3), ['unschedule cluster-3']);
    assert.deepEqual(left(2), ['unschedule cluster-3', 'unschedule cluster-4']);
    assert.deepEqual(left(1), ['unschedule cluster-3', 'unschedule cluster-4', 'unschedule cluster-2']);
    assert.equal(left(0).length, 4);
  });

  test('reports only the clusters that stay', () => {
    const previous = [{ clusterName: 'dark', selected: false, reason: 'dark' }];
    const outcome = schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters: 2, bindings, previous });
    assert.deepEqual(outcome.decisions.map(scored), ['1(5,0)', '2(9,-1)']);
    assert.equal(outcome.condition.status, 'True');
  });

  test('gives up those of an earlier snapshot even if the number fits', () => {
    const surplus = [...bindings.slice(0, 2), aBinding('cluster-3', 'Bound', old)];
    const outcome = schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters: 2, bindings: surplus });
    assert.deepEqual(changesIn(outcome), ['unschedule cluster-3']);
  });
});

describe('PickN after a change of the policy', () => {
  const spread: PlacementPolicy = {
    placementType: 'PickN',
    topologySpreadConstraints: [{ topologyKey: 'region', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
  };
  const regions = ['a', 'a', 'b', 'b', 'c', 'c'].map((region, index) =>
    aCluster(`cluster-${index + 1}`, { labels: { region } }),
  );

  test('prefers the clusters that it had among equals', () => {
    const bindings = [aBinding('cluster-1', 'Bound', old)];
    const outcome = schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters: 2, bindings });
    assert.deepEqual(changesIn(outcome), ['create cluster-4', 'patch cluster-1 Bound']);
  });

  test('keeps all that fit in one decision, where KubeFleet gives up all but one of a spread placement', () => {
    const bindings = ['cluster-1', 'cluster-3', 'cluster-5'].map((name) => aBinding(name, 'Bound', old));
    const outcome = schedule({ clusters: regions, policy: spread, numberOfClusters: 3, bindings });
    assert.deepEqual(changesIn(outcome), ['patch cluster-1 Bound', 'patch cluster-3 Bound', 'patch cluster-5 Bound']);
  });

  test('moves away from domains that have too many', () => {
    const bindings = ['cluster-1', 'cluster-2'].map((name) => aBinding(name, 'Bound', old));
    const outcome = schedule({ clusters: regions, policy: spread, numberOfClusters: 2, bindings });
    assert.deepEqual(changesIn(outcome), ['create cluster-6', 'patch cluster-2 Bound', 'unschedule cluster-1']);
  });
});

describe('the number of a PickN placement', () => {
  test('grows by the best of the others', () => {
    const bindings = applied([], schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters: 2 }));
    const outcome = schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters: 3, bindings });
    assert.deepEqual(changesIn(outcome), ['create cluster-2']);
    assert.deepEqual(outcome.decisions.map(scored), ['2(0,0)', '3(0,0)', '4(0,0)', '1(0,0)']);
  });

  for (const numberOfClusters of [undefined, -1, 1.5, Number.NaN]) {
    test(`that is ${numberOfClusters} changes nothing and is reported`, () => {
      const bindings = [aBinding('cluster-1', 'Bound', current), aBinding('cluster-2', 'Bound', old)];
      const outcome = schedule({ clusters, policy: { placementType: 'PickN' }, numberOfClusters, bindings });
      assert.deepEqual(outcome.changes, []);
      assert.equal(outcome.condition.status, 'False');
      assert.equal(
        outcome.condition.message,
        'could not find all clusters needed as specified by the scheduling policy, found 1 cluster(s) instead; the policy snapshot does not say how many clusters to pick',
      );
    });
  }
});
