/** What the kinds of OCM default, accept and refuse, where it surprises. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { testRules } from '../rules.testing.ts';
import { ServedKind } from '../served-kind.testing.ts';
import { managedClusterSetDefinition } from './cluster-set-schema.ts';
import { managedClusterDefinition } from './managed-cluster-schema.ts';
import { ocmPlacementDefinition } from './ocm-placement-schema.ts';

const placement = (spec: JsonObject): JsonObject => ({ spec });
const decisionGroup = (groupName: string): JsonObject =>
  placement({
    decisionStrategy: { groupStrategy: { decisionGroups: [{ groupName, groupClusterSelector: {} }] } },
  });

testRules(
  ocmPlacementDefinition,
  ['v1beta1'],
  [
    {
      title: 'requires a spec, which may be empty',
      refused: { create: {} },
      says: 'spec: Required value',
      accepted: { create: placement({}) },
    },
    {
      title: 'refuses a weight above 10',
      refused: { create: placement({ prioritizerPolicy: { configurations: [{ scoreCoordinate: {}, weight: 11 }] } }) },
      says: 'spec.prioritizerPolicy.configurations[0].weight: Invalid value: 11: spec.prioritizerPolicy.configurations[0].weight in body should be less than or equal to 10',
      accepted: {
        create: placement({ prioritizerPolicy: { configurations: [{ scoreCoordinate: {}, weight: -10 }] } }),
      },
    },
    {
      title: 'refuses a group name of one character',
      refused: { create: decisionGroup('a') },
      says: `spec.decisionStrategy.groupStrategy.decisionGroups[0].groupName: Invalid value: "a": spec.decisionStrategy.groupStrategy.decisionGroups[0].groupName in body should match '^[a-zA-Z0-9][-A-Za-z0-9_.]{0,61}[a-zA-Z0-9]$'`,
      accepted: { create: decisionGroup('ab') },
    },
  ],
);

describe('a Placement', () => {
  const served = new ServedKind(ocmPlacementDefinition, 'v1beta1');

  test('gets only the defaults whose parents exist', () => {
    assert.deepEqual(served.stored(placement({}))['spec'], { sortBy: 'ClusterName', scoreRateLimit: '1m' });
  });

  test('is accepted as Go clients send it, with a group size of 0', () => {
    const groupStrategy = { clustersPerDecisionGroup: 0 };
    const sent = placement({ prioritizerPolicy: {}, spreadPolicy: {}, decisionStrategy: { groupStrategy } });
    assert.deepEqual(served.refusals({ create: sent }), []);
    assert.deepEqual(served.stored(sent)['spec'], {
      prioritizerPolicy: { mode: 'Additive' },
      spreadPolicy: {},
      decisionStrategy: { groupStrategy },
      sortBy: 'ClusterName',
      scoreRateLimit: '1m',
    });
  });
});

test('a ManagedClusterSet without a spec selects by the exclusive label', () => {
  const { spec } = new ServedKind(managedClusterSetDefinition, 'v1beta2').stored({});
  assert.deepEqual(spec, { clusterSelector: { selectorType: 'ExclusiveClusterSetLabel' } });
});

test('a ManagedCluster is accepted with the null time of a taint that Go clients send', () => {
  const served = new ServedKind(managedClusterDefinition, 'v1');
  const taints = [{ key: 'gpu', effect: 'NoSelect', timeAdded: null }];
  assert.deepEqual(served.refusals({ create: { spec: { taints } } }), []);
  assert.deepEqual(served.stored({ spec: { taints } })['spec'], { leaseDurationSeconds: 60, taints });
});
