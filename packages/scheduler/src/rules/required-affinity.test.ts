import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterSelectorTerm } from '@flotilla/api';
import { schedule, type ClusterParts } from '../scheduling.testing.ts';
import { property, rejectionOf, requiring } from './rejection.testing.ts';

const nodes = 'kubernetes-fleet.io/node-count';
const noTerm = 'cluster does not match with any of the required cluster affinity terms';

describe('required affinity', () => {
  const sea: ClusterParts = {
    labels: { region: 'east', env: 'prod' },
    properties: { [nodes]: '4', 'k8s.io/k8s-version': 'v1.36', fraction: '1500m' },
    resourceUsage: {
      capacity: { cpu: 8, memory: '16Gi' },
      allocatable: { cpu: '7', 'ephemeral-storage': '100Gi', 'example.com/gpu-a100': '2' },
      available: { cpu: '2500m' },
    },
  };
  const matching: Record<string, ClusterSelectorTerm> = {
    'labels that are equal': { labelSelector: { matchLabels: { region: 'east' } } },
    'In, NotIn, Exists and DoesNotExist': {
      labelSelector: {
        matchExpressions: [
          { key: 'region', operator: 'In', values: ['west', 'east'] },
          { key: 'env', operator: 'NotIn', values: ['test'] },
          { key: 'env', operator: 'Exists' },
          { key: 'gone', operator: 'DoesNotExist' },
        ],
      },
    },
    'an empty selector': { labelSelector: {} },
    'a term without requirements': {},
    'Gt with less': property(nodes, 'Gt', '3'),
    'Ge with the same': property(nodes, 'Ge', '4'),
    'Eq in another spelling': property(nodes, 'Eq', '4000m'),
    'Ne with another': property(nodes, 'Ne', '5'),
    'Le with the same': property(nodes, 'Le', '4'),
    'Lt with more': property(nodes, 'Lt', '4.5'),
    'a fraction': property('fraction', 'Eq', '1.5'),
    'total resources, reported as a number': property('resources.kubernetes-fleet.io/total-cpu', 'Eq', '8'),
    'available resources': property('resources.kubernetes-fleet.io/available-cpu', 'Gt', '2'),
    'a resource with a dash in its name, where KubeFleet stops': property(
      'resources.kubernetes-fleet.io/allocatable-ephemeral-storage',
      'Ge',
      '100Gi',
    ),
    'a resource of a vendor': property('resources.kubernetes-fleet.io/allocatable-example.com/gpu-a100', 'Eq', '2'),
  };
  for (const [title, term] of Object.entries(matching)) {
    test(`chooses a cluster for ${title}`, () => assert.equal(rejectionOf(sea, requiring(term)), undefined));
  }

  const failing: Record<string, { readonly term: ClusterSelectorTerm; readonly failure: Record<string, string> }> = {
    'another label': {
      term: { labelSelector: { matchLabels: { region: 'west' } } },
      failure: { requirement: 'region=west', value: 'east' },
    },
    'a missing label': {
      term: { labelSelector: { matchExpressions: [{ key: 'zone', operator: 'Exists' }] } },
      failure: { requirement: 'zone' },
    },
    'labels that match and a property that does not': {
      term: { labelSelector: { matchLabels: { region: 'east' } }, ...property(nodes, 'Gt', '4') },
      failure: { requirement: `${nodes} Gt 4`, value: '4' },
    },
    'Lt with the same': { term: property(nodes, 'Lt', '4'), failure: { requirement: `${nodes} Lt 4`, value: '4' } },
    'Ne with the same': { term: property(nodes, 'Ne', '4'), failure: { requirement: `${nodes} Ne 4`, value: '4' } },
    'a property that it does not report, even with Ne': {
      term: property('other', 'Ne', '1'),
      failure: { requirement: 'other Ne 1' },
    },
    'a property named like a member of every object': {
      term: property('constructor', 'Ne', '1'),
      failure: { requirement: 'constructor Ne 1' },
    },
    'a property that is no quantity': {
      term: property('k8s.io/k8s-version', 'Ge', '1'),
      failure: {
        requirement: 'k8s.io/k8s-version Ge 1',
        value: 'v1.36',
        problem: 'the reported value is not a quantity',
      },
    },
  };
  for (const [title, { term, failure }] of Object.entries(failing)) {
    test(`rejects a cluster for ${title}, with the requirement and the value`, () => {
      assert.deepEqual(rejectionOf(sea, requiring(term)), {
        plugin: 'ClusterAffinity',
        reasons: [noTerm],
        evidence: {
          kind: 'affinity',
          terms: [{ term: 0, unmet: [{ about: term.propertySelector ? 'property' : 'label', ...failure }] }],
        },
      });
    });
  }

  test('is met by any of its terms', () => {
    assert.equal(rejectionOf(sea, requiring(property(nodes, 'Gt', '9'), property(nodes, 'Lt', '9'))), undefined);
    const both = rejectionOf(sea, requiring(property(nodes, 'Gt', '9'), property('x', 'Lt', '9')));
    assert.deepEqual(both?.evidence.kind === 'affinity' && both.evidence.terms.map(({ term }) => term), [0, 1]);
  });

  test('without terms requires nothing', () => assert.equal(rejectionOf(sea, requiring()), undefined));

  /** KubeFleet stops scheduling the placement, and says so only in its log. */
  const senseless: Record<string, { readonly term: ClusterSelectorTerm; readonly problem: string }> = {
    'an operator that does not exist': {
      term: property(nodes, 'About', '4'),
      problem: `${nodes} About 4: operator About is not one of Gt, Ge, Eq, Ne, Le, Lt`,
    },
    'two values': {
      term: property(nodes, 'Lt', '9', '5'),
      problem: `${nodes} Lt 9, 5: there must be one value, not 2`,
    },
    'no value': { term: property(nodes, 'Gt'), problem: `${nodes} Gt : there must be one value, not 0` },
    'a value that is no quantity': {
      term: property(nodes, 'Gt', 'four'),
      problem: `${nodes} Gt four: value four is not a quantity`,
    },
    'an unknown kind of resource': {
      term: property('resources.kubernetes-fleet.io/free-cpu', 'Gt', '1'),
      problem:
        'resources.kubernetes-fleet.io/free-cpu Gt 1: property resources.kubernetes-fleet.io/free-cpu must be resources.kubernetes-fleet.io/ followed by total, allocatable or available, a dash and a resource',
    },
    'a label selector that is invalid': {
      term: { labelSelector: { matchExpressions: [{ key: 'region', operator: 'Near', values: ['east'] }] } },
      problem: '"Near" is not a valid label selector operator',
    },
  };
  for (const [title, { term, problem }] of Object.entries(senseless)) {
    test(`matches no cluster for ${title}, and says so`, () => {
      const sentence = `required cluster affinity term 0 matches no cluster: ${problem}`;
      const rejection = rejectionOf(sea, requiring(term));
      assert.deepEqual(rejection?.reasons, [noTerm, sentence]);
      const { condition } = schedule({ policy: { placementType: 'PickAll', ...requiring(term) } });
      assert.equal(
        condition.message,
        `found all cluster needed as specified by the scheduling policy, found 0 cluster(s); ${sentence}`,
      );
    });
  }

  test('beyond 250 requirements matches no cluster', () => {
    const many = Array.from({ length: 250 }, () => ({ key: 'region', operator: 'Exists' }));
    const rejection = rejectionOf(sea, requiring({ labelSelector: { matchExpressions: many } }));
    assert.deepEqual(rejection?.reasons.slice(1), [
      'required cluster affinity term 0 matches no cluster: there are more than 250 requirements',
    ]);
    const values = Array.from({ length: 5000 }, (_, index) => `value-${index}`);
    const long = { labelSelector: { matchExpressions: [{ key: 'region', operator: 'In', values }] } };
    assert.deepEqual(rejectionOf(sea, requiring(long))?.reasons, rejection?.reasons);
  });
});
