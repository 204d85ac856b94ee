/** Users decide how long lists are: validation must take linear time, and no stack per item. */
import type { JsonObject, KubeObject } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validatingAdmissionPolicyKind } from './admissionregistration/validating-admission-policy.ts';
import { validateConditions } from './conditions.ts';
import { networkPolicyKind } from './networking/network-policy.ts';
import { csiNodeKind } from './storage/csi-node.ts';
import { storageClassKind } from './storage/storage-class.ts';
import type { KindBehavior } from '../kind.ts';

const many = 150_000;
const context = { now: new Date('2026-03-01T12:00:00Z'), user: 'admin', groups: [] };

function errorsOf(kind: KindBehavior, fields: JsonObject): number {
  const object: KubeObject = { apiVersion: kind.version, kind: kind.kind, metadata: { name: 'x' }, ...fields };
  return kind.validate?.(object, context).length ?? 0;
}

function list<T>(itemAt: (index: number) => T): T[] {
  return Array.from({ length: many }, (_, index) => itemAt(index));
}

test('keys of audit annotations', () => {
  const auditAnnotations = list((index) => ({ key: `k${index}`, valueExpression: '' }));
  assert.ok(errorsOf(validatingAdmissionPolicyKind, { spec: { auditAnnotations } }) > many);
});

test('conditions', () => {
  const condition = { status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: '', message: '' };
  const conditions = list((index) => ({ ...condition, type: `t${index}` }));
  assert.equal(validateConditions(conditions, 'status.conditions').length, many);
});

test('values of selectors', () => {
  const matchExpressions = [{ key: 'a', operator: 'In', values: list(() => '-') }];
  assert.equal(errorsOf(networkPolicyKind, { spec: { podSelector: { matchExpressions } } }), many);
});

test('topology keys of drivers', () => {
  const drivers = [{ name: 'd', nodeID: 'n', topologyKeys: list((index) => `-${index}`) }];
  assert.equal(errorsOf(csiNodeKind, { spec: { drivers } }), many);
});

test('topologies that are all the same', () => {
  const fields = { provisioner: 'p', reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' };
  assert.equal(errorsOf(storageClassKind, { ...fields, allowedTopologies: list(() => ({})) }), 10_000);
});
