import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameIsDnsLabel } from '../names/object-name.ts';
import type { ObjectMeta } from '../object.ts';
import { fieldErrorText } from './field-error.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from './object-meta.ts';

const meta: ObjectMeta = { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '1', generation: 2 };

function problems(changes: ObjectMeta, isNamespaced = true): string[] {
  return validateObjectMeta({ ...meta, ...changes }, { isNamespaced, nameRule: nameIsDnsLabel }).map(fieldErrorText);
}

function updateProblems(changes: ObjectMeta, old: ObjectMeta = meta): string[] {
  return validateObjectMetaUpdate({ ...old, ...changes }, old).map(fieldErrorText);
}

test('accepts plain metadata', () => {
  assert.deepEqual(
    problems({ labels: { app: 'web' }, annotations: { 'Example.com/x': '☃' }, finalizers: ['a/b'] }),
    [],
  );
  assert.deepEqual(updateProblems({ labels: { app: 'web' } }), []);
});

test('an object needs a name', () => {
  assert.deepEqual(problems({ name: '' }), ['metadata.name: Required value: name or generateName is required']);
  assert.match(
    problems({ generateName: 'Web-' })[0] ?? '',
    /^metadata\.generateName: Invalid value: "Web-": a lowercase RFC 1123 label/,
  );
  assert.deepEqual(problems({ generateName: 'web-' }), []);
});

test('an object has a namespace exactly when its kind has', () => {
  assert.deepEqual(problems({ namespace: '' }), ['metadata.namespace: Required value']);
  assert.deepEqual(problems({ namespace: 'a' }, false), ['metadata.namespace: Forbidden: not allowed on this type']);
  assert.deepEqual(problems({ namespace: 'a.b' }), ['metadata.namespace: Invalid value: "a.b": must not contain dots']);
});

test('annotations are limited in sum', () => {
  assert.deepEqual(problems({ annotations: { a: 'x'.repeat(262_143) } }), []);
  assert.deepEqual(problems({ annotations: { a: 'x'.repeat(262_144) } }), [
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  ]);
});

test('requires complete owner references with at most one controller', () => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' };
  assert.deepEqual(problems({ ownerReferences: [{ apiVersion: 'apps/', kind: '', name: '', uid: '' }] }), [
    'metadata.ownerReferences.apiVersion: Invalid value: "apps/": version must not be empty',
    'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
    'metadata.ownerReferences.name: Invalid value: "": must not be empty',
    'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
  ]);
  assert.deepEqual(problems({ ownerReferences: [{ ...owner, kind: 'Event' }] }), [
    'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"a","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
  ]);
  const controllers = [
    { ...owner, controller: true },
    { ...owner, name: 'b', controller: true },
  ];
  assert.deepEqual(problems({ ownerReferences: controllers }), [
    `metadata.ownerReferences: Invalid value: ${JSON.stringify(controllers)}: Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/b`,
  ]);
});

test('refuses both deletion finalizers at once', () => {
  assert.deepEqual(problems({ finalizers: ['orphan', 'foregroundDeletion'] }), [
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ]);
});

test('short finalizers must be Kubernetes’ own, except where any are allowed', () => {
  assert.deepEqual(problems({ finalizers: ['kubernetes', 'a.io/b', 'mine'] }), [
    'metadata.finalizers[2]: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
  ]);
  const rules = { isNamespaced: true, nameRule: nameIsDnsLabel, allowsShortFinalizers: true };
  assert.deepEqual(validateObjectMeta({ ...meta, finalizers: ['mine'] }, rules), []);
});

test('managed fields have a known operation, a short manager and a known form', () => {
  const entry = { operation: 'Apply', manager: 'kubectl' };
  assert.deepEqual(problems({ managedFields: [entry, { operation: 'x', fieldsType: 'y', manager: 'a\nb' }] }), [
    'metadata.managedFields[1].operation: Invalid value: "x": must be `Apply` or `Update`',
    'metadata.managedFields[1].fieldsType: Invalid value: "y": must be `FieldsV1`',
    'metadata.managedFields[1].manager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
  ]);
  assert.deepEqual(problems({ managedFields: [{ ...entry, manager: 'x'.repeat(129) }] }), [
    'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
  ]);
});

test('identity may not change', () => {
  assert.deepEqual(updateProblems({ name: 'api', uid: 'u2', generation: 1, resourceVersion: '' }), [
    'metadata.resourceVersion: Invalid value: "": must be specified for an update',
    'metadata.generation: Invalid value: 1: must not be decremented',
    'metadata.name: Invalid value: "api": field is immutable',
    'metadata.uid: Invalid value: "u2": field is immutable',
  ]);
  assert.deepEqual(updateProblems({ creationTimestamp: null }), []);
  assert.deepEqual(updateProblems({ deletionGracePeriodSeconds: 5 }), [
    'metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
  ]);
});

test('refuses new finalizers on an object that is being deleted', () => {
  const deleting = { ...meta, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/a'] };
  assert.deepEqual(updateProblems({ finalizers: [] }, deleting), []);
  assert.deepEqual(updateProblems({ finalizers: ['c', 'a/a', 'b'] }, deleting), [
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"b", "c"}',
  ]);
});
