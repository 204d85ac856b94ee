import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPod } from '../pod.testing.ts';
import { addDefaultTolerations, keepPriority, resolvePriority, type PriorityClasses } from './admission.ts';

const none: PriorityClasses = { named: () => undefined, byDefault: () => undefined };
const high = { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' };
const some: PriorityClasses = {
  named: (name) => (name === 'high' ? high : undefined),
  byDefault: () => high,
};

test('a pod tolerates failing nodes for five minutes by default', () => {
  const pod = aPod();
  addDefaultTolerations(pod);
  assert.deepEqual(
    pod.spec.tolerations?.map(({ key, tolerationSeconds }) => `${key} ${tolerationSeconds}`),
    ['node.kubernetes.io/not-ready 300', 'node.kubernetes.io/unreachable 300'],
  );

  const patient = aPod({ tolerations: [{ operator: 'Exists' }] });
  addDefaultTolerations(patient);
  assert.equal(patient.spec.tolerations?.length, 1);

  const picky = aPod({
    tolerations: [{ key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoSchedule' }],
  });
  addDefaultTolerations(picky);
  assert.equal(picky.spec.tolerations?.length, 3);
});

test('without classes a pod has priority zero and may preempt', () => {
  const pod = aPod();
  assert.equal(resolvePriority(pod, none), undefined);
  assert.equal(pod.spec.priority, 0);
  assert.equal(pod.spec.preemptionPolicy, 'PreemptLowerPriority');
});

test('a default class sets its name too', () => {
  const pod = aPod();
  assert.equal(resolvePriority(pod, some), undefined);
  assert.deepEqual([pod.spec.priorityClassName, pod.spec.priority, pod.spec.preemptionPolicy], ['high', 1000, 'Never']);
});

test('forbids a missing class, and a priority that differs from the class', () => {
  assert.equal(resolvePriority(aPod({ priorityClassName: 'nope' }), some), 'no PriorityClass with name nope was found');
  assert.equal(
    resolvePriority(aPod({ priority: 5 }), none),
    'the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
  );
  assert.equal(
    resolvePriority(aPod({ preemptionPolicy: 'Never' }), none),
    'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
  );
});

test('an update without priority keeps the old one', () => {
  const pod = aPod();
  keepPriority(pod, aPod({ priority: 7, preemptionPolicy: 'Never' }));
  assert.deepEqual([pod.spec.priority, pod.spec.preemptionPolicy], [7, 'Never']);
});
