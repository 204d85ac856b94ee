import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPod } from './pod.testing.ts';
import { bindPod, podGracePeriod, type BindingFields } from './pod-life.ts';
import { podColumns } from './pod-columns.ts';

const now = new Date('2026-03-01T12:00:00Z');
const binding: BindingFields = {
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name: 'web', labels: { zone: 'a' }, annotations: { by: 'us' } },
  target: { name: 'node-1' },
};

test('the grace period of a pod on a node is that of the request, else that of the pod', () => {
  const pod = aPod({ nodeName: 'node-1', terminationGracePeriodSeconds: 30 }, { phase: 'Running' });
  assert.equal(podGracePeriod(pod, undefined), 30);
  assert.equal(podGracePeriod(pod, 5), 5);
  assert.equal(podGracePeriod(pod, -3), 1);
});

test('a pod that does not run is deleted at once', () => {
  assert.equal(podGracePeriod(aPod({ terminationGracePeriodSeconds: 30 }), 20), 0);
  assert.equal(podGracePeriod(aPod({ nodeName: 'n' }, { phase: 'Succeeded' }), 20), 0);
});

test('binds a pod once', () => {
  const pod = aPod({}, { nominatedNodeName: 'node-2' });
  assert.equal(bindPod(pod, binding, now), undefined);
  assert.equal(pod.spec.nodeName, 'node-1');
  assert.equal(pod.status.nominatedNodeName, undefined);
  assert.deepEqual(pod.metadata.labels, { zone: 'a' });
  assert.deepEqual(pod.status.conditions, [
    { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-03-01T12:00:00Z' },
  ]);
  assert.equal(bindPod(pod, binding, now), 'pod web is already assigned to node "node-1"');
});

test('refuses to bind a pod with scheduling gates, or one that is being deleted', () => {
  assert.equal(
    bindPod(aPod({ schedulingGates: [{ name: 'a' }] }), binding, now),
    'pod web has non-empty .spec.schedulingGates',
  );
  const leaving = aPod();
  leaving.metadata.deletionTimestamp = '2026-03-01T12:00:00Z';
  assert.equal(bindPod(leaving, binding, now), 'pod web is being deleted, cannot be assigned to a host');
});

test('a deleted pod is Terminating, or Unknown if its node is lost', () => {
  const status = (phase: string, reason?: string): unknown => {
    const pod = aPod({}, reason === undefined ? { phase } : { phase, reason });
    pod.metadata.deletionTimestamp = '2026-03-01T12:00:00Z';
    return podColumns.cells(pod, now)[2];
  };
  assert.equal(status('Running'), 'Terminating');
  assert.equal(status('Running', 'NodeLost'), 'Unknown');
  assert.equal(status('Succeeded'), 'Succeeded');
});
