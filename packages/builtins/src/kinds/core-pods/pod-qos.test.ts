import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPod } from './pod.testing.ts';
import type { ResourceRequirementsFields } from './pod-fields.ts';
import { qosClassOf } from './pod-qos.ts';

function classOf(...resources: readonly ResourceRequirementsFields[]): string {
  return qosClassOf(aPod({ containers: resources.map((one, i) => ({ name: `c${i}`, resources: one })) }));
}

const full = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } };

test('a pod without resources is BestEffort', () => {
  assert.equal(classOf({}, { limits: { 'a.b/gpu': '1' } }), 'BestEffort');
  assert.equal(classOf({ requests: { cpu: '0' } }), 'BestEffort');
});

test('a pod is Guaranteed if limits equal requests in each container', () => {
  assert.equal(classOf(full, full), 'Guaranteed');
  assert.equal(classOf(full, {}), 'Burstable');
  assert.equal(classOf({ limits: { cpu: '1' }, requests: { cpu: '1' } }), 'Burstable');
  assert.equal(classOf({ ...full, requests: { cpu: '500m', memory: '1Gi' } }), 'Burstable');
});

test('pod-level resources count before those of the containers', () => {
  assert.equal(qosClassOf(aPod({ resources: full })), 'Guaranteed');
  assert.equal(qosClassOf(aPod({ resources: { requests: { cpu: '1' } } })), 'Burstable');
});
