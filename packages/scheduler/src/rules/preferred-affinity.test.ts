import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PreferredTerm } from '@flotilla/api';
import { aCluster, schedule, type ClusterParts } from '../scheduling.testing.ts';

/** Affinity scores of clusters 1, 2, 3 …, and the problems that the condition names. */
function scores(terms: readonly PreferredTerm[], ...fleet: readonly ClusterParts[]) {
  const clusters = fleet.map((parts, index) => aCluster(`cluster-${index + 1}`, parts));
  const affinity = { clusterAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [...terms] } };
  const { verdicts, decisions, condition } = schedule({
    clusters,
    policy: { placementType: 'PickN', affinity },
    numberOfClusters: 1,
  });
  assert.equal(decisions.length, fleet.length);
  return {
    scores: [...verdicts].map(({ score }) => score?.affinity),
    problems: condition.message.split('; ').slice(1),
  };
}

const sorter = (weight: number, sortOrder: 'Ascending' | 'Descending', name = 'nodes'): PreferredTerm => ({
  weight,
  preference: { propertySorter: { name, sortOrder } },
});
const nodes = (value: string): ClusterParts => ({ properties: { nodes: value } });

describe('a preference', () => {
  test('may avoid clusters', () => {
    const avoid: PreferredTerm = { weight: -30, preference: { labelSelector: { matchLabels: { env: 'test' } } } };
    assert.deepEqual(scores([avoid], { labels: { env: 'prod' } }, { labels: { env: 'test' } }).scores, [0, -30]);
  });

  test('without requirements is for all clusters', () => {
    assert.deepEqual(scores([{ weight: 5, preference: {} }], {}, {}).scores, [5, 5]);
  });

  test('ignores property selectors', () => {
    const matchExpressions = [{ name: 'nodes', operator: 'Gt', values: ['100'] }];
    assert.deepEqual(scores([{ weight: 5, preference: { propertySelector: { matchExpressions } } }], {}).scores, [5]);
  });

  test('shares its weight by the distance, and rounds halves away from zero', () => {
    const fleet = [nodes('0'), nodes('1'), nodes('2')];
    assert.deepEqual(scores([sorter(5, 'Descending')], ...fleet).scores, [0, 3, 5]);
    assert.deepEqual(scores([sorter(5, 'Ascending')], ...fleet).scores, [5, 3, 0]);
    assert.deepEqual(scores([sorter(-5, 'Descending')], ...fleet).scores, [0, -3, -5]);
  });

  test('gives nothing where there is nothing to compare', () => {
    assert.deepEqual(scores([sorter(50, 'Descending')], nodes('3'), nodes('3')).scores, [0, 0]);
    assert.deepEqual(scores([sorter(50, 'Descending')], nodes('1'), nodes('3'), {}).scores, [0, 50, 0]);
    assert.deepEqual(scores([sorter(50, 'Ascending')], nodes('1'), nodes('3'), nodes('v3')).scores, [50, 0, 0]);
    assert.deepEqual(scores([sorter(50, 'Ascending')], nodes('1'), nodes('1e999')).scores, [0, 0]);
  });

  test('of weight 0 does not count', () => {
    assert.deepEqual(scores([sorter(0, 'Descending'), { weight: 0, preference: {} }], nodes('1'), {}).scores, [0, 0]);
  });

  test('that makes no sense is ignored, and the condition says so', () => {
    const wrong: PreferredTerm = {
      weight: 5,
      preference: { labelSelector: { matchExpressions: [{ key: 'env', operator: 'Near', values: ['x'] }] } },
    };
    const outcome = scores([wrong, sorter(5, 'Ascending', 'resources.kubernetes-fleet.io/cpu')], {});
    assert.deepEqual(outcome.scores, [0]);
    assert.deepEqual(outcome.problems, [
      'preferred cluster affinity term 0 is ignored: "Near" is not a valid label selector operator',
      'preferred cluster affinity term 1 is ignored: property resources.kubernetes-fleet.io/cpu must be resources.kubernetes-fleet.io/ followed by total, allocatable or available, a dash and a resource',
    ]);
  });

  test('beyond 250 requirements is ignored', () => {
    const many = Array.from({ length: 251 }, (): PreferredTerm => ({ weight: 1, preference: {} }));
    assert.deepEqual(scores(many, {}).scores, [250]);
  });
});

test('a verdict says which terms a score comes from, and which required term matched', () => {
  const labelSelector = { matchLabels: { env: 'prod' } };
  const affinity = {
    clusterAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        clusterSelectorTerms: [{ labelSelector: { matchLabels: { env: 'test' } } }, { labelSelector }],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, preference: { labelSelector: { matchLabels: { zone: 'a' } } } },
        { ...sorter(20, 'Descending'), preference: { labelSelector, ...sorter(20, 'Descending').preference } },
      ],
    },
  };
  const clusters = ['2', '4'].map((number) => aCluster(number, { labels: { env: 'prod' }, ...nodes(number) }));
  const { verdicts } = schedule({ clusters, policy: { placementType: 'PickN', affinity }, numberOfClusters: 1 });
  const met = [{ about: 'label', requirement: 'env=prod', value: 'prod' }];
  assert.deepEqual(verdicts.of('4')?.support, {
    match: { term: 1, met },
    scores: [
      {
        term: 1,
        weight: 20,
        score: 20,
        requirements: [...met, { about: 'property', requirement: 'nodes Descending', value: '4' }],
      },
    ],
  });
});
