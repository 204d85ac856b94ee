import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ManagedClusterSelector, ManagedClusterSet } from '@flotilla/api';
import { now, told } from '../clusters/member.testing.ts';
import { decideClusterSet } from './decide.ts';

function aSet(
  name: string,
  clusterSelector: ManagedClusterSelector,
  annotations: Record<string, string> = {},
): ManagedClusterSet {
  const apiVersion = 'cluster.open-cluster-management.io/v1beta2';
  return { apiVersion, kind: 'ManagedClusterSet', metadata: { name, annotations }, spec: { clusterSelector } };
}

const exclusive: ManagedClusterSelector = { selectorType: 'ExclusiveClusterSetLabel' };
const all: ManagedClusterSelector = { selectorType: 'LabelSelector', labelSelector: {} };

describe('a default set', () => {
  test('is created, and no other one', () => {
    const created = (name: string) => told(decideClusterSet({ name, set: undefined, size: 0 }, now));
    assert.deepEqual(created('default'), [['create ManagedClusterSet default']]);
    assert.deepEqual(created('global'), [['create ManagedClusterSet global']]);
    assert.deepEqual(created('blue'), []);
  });

  test('keeps its selector, unless users turn that off', () => {
    const edited = (annotations = {}) =>
      aSet('global', { ...all, labelSelector: { matchLabels: { a: 'b' } } }, annotations);
    const decided = (set: ManagedClusterSet) => decideClusterSet({ name: set.metadata.name ?? '', set, size: 1 }, now);
    const plan = decided({ ...edited(), spec: { ...edited().spec, managedNamespaces: [{ name: 'x' }] } });
    const [[write] = []] = plan.steps;
    assert.ok(write?.verb === 'update' && write.subresource === undefined);
    assert.deepEqual(write.object['spec'], { clusterSelector: all, managedNamespaces: [{ name: 'x' }] });
    const status = [['update ManagedClusterSet/status global']];
    assert.deepEqual(told(decided(edited({ 'cluster.open-cluster-management.io/autoupdate': 'false' }))), status);
    assert.deepEqual(told(decided(aSet('default', all))), [['update ManagedClusterSet default']]);
    assert.deepEqual(told(decided(aSet('blue', all))), [['update ManagedClusterSet/status blue']]);
  });
});

test('a set says how many clusters it has', () => {
  const condition = (size: number) => {
    const [[write] = []] = decideClusterSet({ name: 'blue', set: aSet('blue', exclusive), size }, now).steps;
    const { status } = (write?.verb === 'update' ? write.object : {}) as ManagedClusterSet;
    const [first] = status?.conditions ?? [];
    return `${first?.type} ${first?.status} ${first?.reason}: ${first?.message}`;
  };
  assert.equal(condition(0), 'ClusterSetEmpty True NoClusterMatched: No ManagedCluster selected');
  assert.equal(condition(3), 'ClusterSetEmpty False ClustersSelected: 3 ManagedClusters selected');
});
