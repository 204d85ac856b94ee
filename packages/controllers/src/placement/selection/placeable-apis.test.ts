import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PlaceableApis } from './placeable-apis.ts';
import { PlaceableNamespaces } from './placeable-namespaces.ts';

/** `apps/v1/Deployment`, or `/v1/Pod` in the core group. */
function gvk(text: string) {
  const [group = '', version = '', kind = ''] = text.split('/');
  return { group, version, kind };
}

describe('the APIs that can be placed', () => {
  test('are all but those of the fleet and reports of a cluster', () => {
    const apis = new PlaceableApis();
    const never = [
      'cluster.open-cluster-management.io/v1beta1/Placement',
      'cluster.open-cluster-management.io/v1beta1/PlacementDecision',
      'cluster.kubernetes-fleet.io/v1beta1/MemberCluster',
      'events.k8s.io/v1/Event',
      'coordination.k8s.io/v1/Lease',
      'metrics.k8s.io/v1beta1/PodMetrics',
      '/v1/Pod',
      '/v1/Node',
      'networking.fleet.azure.com/v1alpha1/ServiceImport',
      'networking.fleet.azure.com/v1beta1/TrafficManagerProfile',
      'placement.kubernetes-fleet.io/v1/ClusterResourcePlacement',
      'placement.kubernetes-fleet.io/v1beta1/Work',
      'placement.kubernetes-fleet.io/v1alpha1/ResourceOverrideSnapshot',
      'placement.kubernetes-fleet.io/v1beta1/ClusterResourcePlacementStatus',
    ];
    const always = [
      '/v1/ConfigMap',
      '/v1/Event',
      'apps/v1/Deployment',
      'networking.fleet.azure.com/v1alpha1/ServiceExport',
      'placement.kubernetes-fleet.io/v1beta1/ResourceEnvelope',
      'placement.kubernetes-fleet.io/v1beta1/ClusterResourceEnvelope',
      'placement.kubefleet.dev/v1alpha1/Anything',
      'multicluster.x-k8s.io/v1alpha1/ClusterProfile',
      'cluster.open-cluster-management.io/v1alpha1/ClusterClaim',
    ];
    for (const api of never) assert.equal(apis.includes(gvk(api)), false, api);
    for (const api of always) assert.equal(apis.includes(gvk(api)), true, api);
  });

  test('do not include Events of a namespace, although a selector may name them', () => {
    assert.equal(new PlaceableApis().includesWithNamespace(gvk('/v1/Event')), false);
    assert.equal(new PlaceableApis().includesWithNamespace(gvk('/v1/ConfigMap')), true);
    assert.equal(new PlaceableApis({ allowed: 'v1/Event' }).includesWithNamespace(gvk('/v1/Event')), true);
  });

  const grammar: readonly [list: string, api: string, isListed: boolean][] = [
    ['apps', 'apps/v1/Deployment', true],
    ['apps', 'batch/v1/Job', false],
    ['apps/v1', 'apps/v1/Deployment', true],
    ['apps/v1', 'apps/v2/Deployment', false],
    ['apps/v1/Deployment', 'apps/v1/Deployment', true],
    ['apps/v1/Deployment', 'apps/v1/StatefulSet', false],
    ['apps/v1/Deployment,StatefulSet', 'apps/v1/StatefulSet', true],
    ['v1/ConfigMap,Secret', '/v1/Secret', true],
    ['v1/ConfigMap', '/v1/Secret', false],
    ['batch;apps/v1', 'apps/v1/Deployment', true],
    ['batch; apps', 'apps/v1/Deployment', false],
    ['v1', '/v1/ConfigMap', false],
  ];
  for (const [list, api, isListed] of grammar) {
    test(`${isListed ? 'know' : 'do not know'} ${api} by "${list}", to skip or to allow it`, () => {
      assert.equal(new PlaceableApis({ skipped: list }).includes(gvk(api)), !isListed);
      assert.equal(new PlaceableApis({ allowed: list }).includes(gvk(api)), isListed);
    });
  }

  test('have no defaults beside an allow list, and keep theirs beside a skip list', () => {
    assert.equal(new PlaceableApis({ allowed: 'v1/Pod' }).includes(gvk('/v1/Pod')), true);
    assert.equal(new PlaceableApis({ skipped: 'apps' }).includes(gvk('/v1/Pod')), false);
  });

  test('cannot be read from four parts, or from two lists', () => {
    assert.throws(() => new PlaceableApis({ skipped: 'a/b/c/d' }), /"a\/b\/c\/d" is not an API/);
    assert.throws(() => new PlaceableApis({ skipped: 'a', allowed: 'b' }), /exclude each other/);
  });
});

test('the namespaces that can be placed are all but reserved ones, default, and those between commas or semicolons', () => {
  const namespaces = new PlaceableNamespaces('harbour,pier;quay');
  for (const name of ['fleet-system', 'kube-system', 'default', 'harbour', 'pier', 'quay']) {
    assert.equal(namespaces.includes(name), false, name);
  }
  for (const name of ['shop', 'kubernetes', 'fleet', 'default-2', ''])
    assert.equal(namespaces.includes(name), true, name);
});
