import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DecisionGroup, OcmPlacementSpec } from '@flotilla/api';
import { groupClusters } from './decision-groups.ts';
import { aManagedCluster, groupsIn, schedule, someClusters } from './ocm.testing.ts';

const fleet = [
  aManagedCluster('a', { labels: { canary: 'yes' } }),
  aManagedCluster('b', { labels: { tier: 'gold' }, claims: { cpu: '8' } }),
  aManagedCluster('c', { labels: { tier: 'gold', canary: 'yes' } }),
  aManagedCluster('d'),
  aManagedCluster('e', { labels: { tier: 'gold' } }),
];
const group = (groupName: string, matchLabels: Record<string, string>): DecisionGroup => ({
  groupName,
  groupClusterSelector: { labelSelector: { matchLabels } },
});
const strategy = (clustersPerDecisionGroup: number | string, ...decisionGroups: DecisionGroup[]): OcmPlacementSpec => ({
  decisionStrategy: { groupStrategy: { clustersPerDecisionGroup, decisionGroups } },
});
const canary = group('canary', { canary: 'yes' });
const gold = group('gold', { tier: 'gold' });

describe('decision groups', () => {
  const rows: readonly (readonly [claim: string, spec: OcmPlacementSpec, groups: string])[] = [
    ['without a strategy are one', {}, '-[a b c d e]'],
    [
      'take each cluster once, the first group that matches',
      strategy('100%', canary, gold),
      'canary[a c] gold[b e] -[d]',
    ],
    ['that match nothing do not exist', strategy('100%', group('none', { x: 'y' })), '-[a b c d e]'],
    ['of a number are cut', strategy(2), '-[a b] -[c d] -[e]'],
    ['of 0, as Go clients write it, are one', strategy(0), '-[a b c d e]'],
    ['of a percentage are rounded up', strategy('25%', gold), 'gold[b c] gold[e] -[a d]'],
    ['of more clusters than there are are one', strategy(9), '-[a b c d e]'],
    ['of a quoted number are refused, as in OCM', strategy('5'), 'problem: 5 invalid type: string is not a percentage'],
    [
      'after an invalid one are missing',
      strategy('100%', canary, group('bad', { '-': 'x' }), gold),
      "canary[a c] problem: key: Invalid value: \"-\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ];
  for (const [claim, spec, groups] of rows) {
    test(claim, () => assert.equal(groupsIn(spec, schedule(spec, fleet)), groups));
  }

  test('match claims', () => {
    const selector = { claimSelector: { matchExpressions: [{ key: 'cpu', operator: 'In', values: ['8'] }] } };
    const spec = strategy('100%', { groupName: 'big', groupClusterSelector: selector });
    assert.equal(groupsIn(spec, schedule(spec, fleet)), 'big[b] -[a c d e]');
  });

  test('without clusters are one empty group', () => {
    assert.equal(groupsIn(strategy(2, gold), schedule({}, [])), '-[]');
  });

  test('order clusters by score within a group if the Placement says so', () => {
    const spec: OcmPlacementSpec = { ...strategy('100%', gold), sortBy: 'Score' };
    const elsewhere = { a: 1, b: 2, c: 1 };
    assert.equal(groupsIn(spec, schedule(spec, fleet, { elsewhere })), 'gold[e c b] -[d a]');
    assert.equal(
      groupsIn({ ...spec, sortBy: 'ClusterName' }, schedule(spec, fleet, { elsewhere })),
      'gold[b c e] -[a d]',
    );
  });

  test('have a score for each cluster, unless it is 0', () => {
    const { selected } = schedule({}, someClusters('a', 'b'), { elsewhere: { a: 1, b: 2 } });
    assert.deepEqual(groupClusters({}, selected).groups[0]?.decisions, [
      [
        { clusterName: 'a', reason: '' },
        { clusterName: 'b', reason: '', score: -100 },
      ],
    ]);
  });

  test('are cut into lists of 100', () => {
    const names = Array.from({ length: 250 }, (_, n) => `c${String(n).padStart(3, '0')}`);
    const spec = strategy(150);
    const { groups } = groupClusters(spec, schedule(spec, someClusters(...names)).selected);
    const sizes = groups.map(({ decisions }) => decisions.map(({ length }) => length));
    assert.deepEqual(sizes, [[100, 50], [100]]);
  });
});
