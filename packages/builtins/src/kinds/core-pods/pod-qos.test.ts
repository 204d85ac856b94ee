import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPod } from './pod.testing.ts';
import type { ResourceRequirementsFields } from './pod-fields.ts';
import { qosClassOf } from './pod-qos.ts';

function classOf(...resources: readonly ResourceRequirementsFields[]): string {
  return qosClassOf(aPod({ containers: resources.map((one, i) => ({ name: `c${i}`, resources: one })) }));
}

const full = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } };

test('without resources a pod gets what is left', () => {
  assert.equal(classOf({}, { limits: { 'a.b/gpu': '1' } }), 'BestEffort');
  assert.equal(classOf({ requests: { cpu: '0' } }), 'BestEffort');
});

test('a guarantee needs equal limits and requests for each container', () => {
  assert.equal(classOf(full, full), 'Guaranteed');
  assert.equal(classOf(full, {}), 'Burstable');
  assert.equal(classOf({ limits: { cpu: '1' }, requests: { cpu: '1' } }), 'Burstable');
  assert.equal(classOf({ ...full, requests: { cpu: '500m', memory: '1Gi' } }), 'Burstable');
});

test('resources of the pod count before those of its containers', () => {
  assert.equal(qosClassOf(aPod({ resources: full })), 'Guaranteed');
  assert.equal(qosClassOf(aPod({ resources: { requests: { cpu: '1' } } })), 'Burstable');
});
