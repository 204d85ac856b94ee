import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aPod } from '../pod.testing.ts';
import { applyRuntimeClass, overheadRefusal, type RuntimeClassFields } from './runtime-class-admission.ts';

const sandbox: RuntimeClassFields = {
  overhead: { podFixed: { cpu: '250m' } },
  scheduling: { nodeSelector: { sandbox: 'yes' }, tolerations: [{ key: 'sandbox', operator: 'Exists' }] },
};
const named = (name: string): RuntimeClassFields | undefined => (name === 'sandbox' ? sandbox : undefined);

test('a class sets overhead, node selector and tolerations', () => {
  const pod = aPod({ runtimeClassName: 'sandbox', nodeSelector: { zone: 'a' }, tolerations: [{ key: 'x' }] });
  assert.equal(applyRuntimeClass(pod, named), undefined);
  assert.deepEqual(pod.spec.overhead, { cpu: '250m' });
  assert.deepEqual(pod.spec.nodeSelector, { sandbox: 'yes', zone: 'a' });
  assert.deepEqual(
    pod.spec.tolerations?.map(({ key }) => key),
    ['x', 'sandbox'],
  );
  assert.equal(overheadRefusal(pod, named), undefined);
});

test('forbids the pod if its class is missing', () => {
  const refusal = applyRuntimeClass(aPod({ runtimeClassName: 'nope' }), named);
  assert.equal(refusal, 'pod rejected: RuntimeClass "nope" not found');
});

test('forbids a pod that contradicts its class', () => {
  assert.equal(
    applyRuntimeClass(aPod({ runtimeClassName: 'sandbox', overhead: { cpu: '1' } }), named),
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  );
  assert.equal(
    applyRuntimeClass(aPod({ runtimeClassName: 'sandbox', nodeSelector: { sandbox: 'no' } }), named),
    'conflict: runtimeClass.scheduling.nodeSelector[sandbox] = yes; pod.spec.nodeSelector[sandbox] = no',
  );
  assert.equal(
    overheadRefusal(aPod({ overhead: { cpu: '1' } }), named),
    'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
  );
});
