import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LabelSelectorObject } from '@flotilla/kube';
import { ClusterSet, eligibleSets } from './cluster-set.ts';
import { aManagedCluster } from './ocm.testing.ts';
import { misconfiguredCondition, satisfiedCondition, type PlacementFindings } from './placement-conditions.ts';

const fine: PlacementFindings = {
  requestedSets: [],
  eligibleSets: ['a', 'b'],
  bindings: 2,
  available: 3,
  selected: 3,
  unscheduled: 0,
  problem: undefined,
};

describe('PlacementSatisfied', () => {
  const rows: readonly (readonly [findings: Partial<PlacementFindings>, text: string])[] = [
    [{}, 'True AllDecisionsScheduled: All cluster decisions scheduled'],
    [{ unscheduled: 2 }, 'False NotAllDecisionsScheduled: 2 cluster decisions unscheduled'],
    [
      { selected: 0, unscheduled: 2 },
      'False NoManagedClusterMatched: No ManagedCluster matches any of the cluster predicate',
    ],
    [
      { available: 0, selected: 0 },
      'False AllManagedClusterSetsEmpty: All ManagedClusterSets [a,b] have no member ManagedCluster',
    ],
    [
      { eligibleSets: [], requestedSets: ['z', 'y'], available: 0 },
      'False NoIntersection: None of ManagedClusterSets [z,y] is bound to placement namespace',
    ],
    [
      { bindings: 0, eligibleSets: [] },
      'False NoManagedClusterSetBindings: No valid ManagedClusterSetBindings found in placement namespace',
    ],
  ];
  for (const [findings, text] of rows) {
    test(text, () => {
      const { status, reason, message } = satisfiedCondition({ ...fine, ...findings });
      assert.equal(`${status} ${reason}: ${message}`, text);
    });
  }
});

describe('PlacementMisconfigured', () => {
  test('names the plugin, and is False for a warning', () => {
    const problem = { plugin: 'Predicate', message: 'bad' };
    const wrong = misconfiguredCondition({ code: 'Misconfigured', ...problem });
    assert.deepEqual([wrong.status, wrong.reason, wrong.message], ['True', 'Misconfigured', 'Predicate:bad']);
    const right = misconfiguredCondition({ code: 'Warning', ...problem });
    assert.deepEqual(
      [right.status, right.reason, right.message],
      ['False', 'Succeedconfigured', 'Placement configurations check pass'],
    );
  });
});

describe('a cluster set', () => {
  const set = (selectorType: 'ExclusiveClusterSetLabel' | 'LabelSelector', labelSelector?: LabelSelectorObject) =>
    new ClusterSet({
      apiVersion: 'cluster.open-cluster-management.io/v1beta2',
      kind: 'ManagedClusterSet',
      metadata: { name: 'eu' },
      spec: { clusterSelector: { selectorType, ...(labelSelector && { labelSelector }) } },
    });
  const member = aManagedCluster('oslo', {
    labels: { 'cluster.open-cluster-management.io/clusterset': 'eu', size: 'l' },
  });

  for (const [claim, found, expected] of [
    ['has the clusters whose label names it', set('ExclusiveClusterSetLabel').has(member), true],
    ['has no cluster without the label', set('ExclusiveClusterSetLabel').has(aManagedCluster('bern')), false],
    [
      'has the clusters that its selector matches',
      set('LabelSelector', { matchLabels: { size: 'l' } }).has(member),
      true,
    ],
    ['has every cluster with an empty selector', set('LabelSelector', {}).has(aManagedCluster('bern')), true],
    ['has no cluster without a selector', set('LabelSelector').has(member), false],
    [
      'has no cluster with an invalid selector',
      set('LabelSelector', { matchExpressions: [{ key: 'size', operator: 'Near' }] }).has(member),
      false,
    ],
  ] as const) {
    test(claim, () => assert.equal(found, expected));
  }

  test('is eligible if the namespace is bound to it, and the Placement names it or none', () => {
    assert.deepEqual(eligibleSets({}, ['us', 'eu']), ['eu', 'us']);
    assert.deepEqual(eligibleSets({ clusterSets: ['us', 'asia'] }, ['us', 'eu']), ['us']);
  });
});
