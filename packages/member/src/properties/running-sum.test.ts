import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject, KubeObject } from '@flotilla/kube';
import { amountsIn, remaining, toResourceList } from './amounts.ts';
import { countedOfNodes, NodeSums } from './node-sums.ts';
import { countedOfPods, PodSums } from './pod-sums.ts';

describe('the sums of nodes', () => {
  test('change with created, updated and deleted nodes', () => {
    const sums = new NodeSums();
    const small = aNode('a', { cpu: '2', memory: '4Gi' });
    sums.changed(small, undefined);
    sums.changed(aNode('b', { cpu: '1500m', memory: '2Gi' }), undefined);
    assert.deepEqual([sums.count, toResourceList(sums.capacity)], [2, { cpu: '3500m', memory: '6Gi' }]);
    const large = aNode('a', { cpu: '4', memory: '8Gi' });
    sums.changed(large, small);
    assert.deepEqual(toResourceList(sums.allocatable), { cpu: '5500m', memory: '10Gi' });
    sums.changed(undefined, large);
    assert.deepEqual([sums.count, toResourceList(sums.capacity)], [1, { cpu: '1500m', memory: '2Gi' }]);
  });

  test('count a node once, however many events it has', () => {
    const sums = new NodeSums();
    const node = aNode('a', { cpu: '2', memory: '4Gi' });
    sums.changed(node, undefined);
    sums.changed(node, undefined);
    assert.deepEqual([sums.count, toResourceList(sums.capacity)], [1, { cpu: '2', memory: '4Gi' }]);
    sums.changed(undefined, node);
    assert.deepEqual([sums.count, toResourceList(sums.capacity)], [0, { cpu: '0', memory: '0' }]);
  });

  test('count nodes by SKU, also after the SKU of a node changes', () => {
    const sums = new NodeSums();
    const [d2, d4] = [aNode('a', {}, 'D2'), aNode('a', {}, 'D4')];
    sums.changed(d2, undefined);
    sums.changed(aNode('b', {}, 'D4'), undefined);
    sums.changed(aNode('c', {}), undefined);
    assert.deepEqual(Object.fromEntries(sums.countBySku), { D2: 1, D4: 1, '': 1 });
    sums.changed(d4, d2);
    assert.deepEqual(Object.fromEntries(sums.countBySku), { D4: 2, '': 1 });
  });

  test('count absent and invalid quantities as zero', () => {
    const sums = new NodeSums();
    sums.changed({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }, undefined);
    sums.changed(aNode('b', { cpu: 'many', memory: '1Gi' }), undefined);
    assert.deepEqual([sums.count, toResourceList(sums.capacity)], [2, { cpu: '0', memory: '1Gi' }]);
  });
});

describe('the sums of pods', () => {
  test('add the requests of containers', () => {
    const sums = new PodSums();
    sums.changed(aPod('a', [{ cpu: '100m', memory: '64Mi' }, { cpu: '200m' }]), undefined);
    const other = aPod('b', [{}, { memory: '64Mi' }]);
    sums.changed(other, undefined);
    assert.deepEqual(toResourceList(sums.requested), { cpu: '300m', memory: '128Mi' });
    sums.changed(undefined, other);
    assert.deepEqual(toResourceList(sums.requested), { cpu: '300m', memory: '64Mi' });
  });
});

describe('the excerpt of', () => {
  test('a node has its resources and its SKU', () => {
    const node = aNode('a', { cpu: '2', memory: '4Gi' }, 'D2');
    const { labels, ...metadata } = node.metadata;
    const whole = {
      ...node,
      metadata: { ...metadata, labels: { ...labels, zone: '1' }, annotations: { a: 'long' } },
      status: { ...(node['status'] as JsonObject), images: [{ names: ['large'] }] },
    };
    assert.deepEqual(countedOfNodes.of(whole), { metadata: { labels }, status: node['status'] });
  });

  test('a pod has the requests of its containers', () => {
    const pod = aPod('a', [{ cpu: '100m' }, { memory: '64Mi' }]);
    const requests = [{ cpu: '100m' }, { memory: '64Mi' }].map((each) => ({ resources: { requests: each } }));
    assert.deepEqual(countedOfPods.of({ ...pod, status: { phase: 'Running' } }), { spec: { containers: requests } });
  });
});

test('remaining amounts are at least zero, for each resource', () => {
  const all = amountsIn({ cpu: '1', memory: '1Gi' });
  assert.deepEqual(toResourceList(remaining(all, amountsIn({ cpu: '1500m', memory: '256Mi' }))), {
    cpu: '0',
    memory: '768Mi',
  });
});

function aNode(name: string, amounts: Record<string, string>, sku?: string): KubeObject {
  const labels = sku === undefined ? {} : { 'beta.kubernetes.io/instance-type': sku };
  const status = { capacity: amounts, allocatable: amounts };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, status };
}

function aPod(name: string, requests: readonly Record<string, string>[]): KubeObject {
  const containers = requests.map((each) => ({ name: 'c', resources: { requests: each } }));
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'default', name }, spec: { containers } };
}
