import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comparableOf } from './comparable.ts';

const nothingLeft = { annotations: {}, labels: {}, finalizers: [], managedFields: [], ownerReferences: [] };

describe('the comparable part of an object', () => {
  test('has neither the name of the object nor fields that the server sets', () => {
    const metadata = {
      name: 'web',
      namespace: 'shop',
      generateName: 'w-',
      uid: 'u',
      resourceVersion: '1',
      generation: 2,
      selfLink: '/x',
      creationTimestamp: null,
      deletionTimestamp: '2026-01-02T03:04:05Z',
      deletionGracePeriodSeconds: 3,
      finalizers: ['a/b'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }],
      managedFields: [{ manager: 'm' }],
    };
    assert.deepEqual(comparableOf({ kind: 'X', metadata, status: { ready: true } }), {
      kind: 'X',
      metadata: nothingLeft,
    });
  });

  test('has all labels and annotations except those of Kubernetes and of the fleet', () => {
    const mixed = {
      team: 'a',
      'app.kubernetes.io/name': 'x',
      'node.k8s.io/x': 'x',
      'kubernetes-fleet.io/x': 'x',
      'example.com/x': 'x',
    };
    const { metadata } = comparableOf({ metadata: { labels: mixed, annotations: mixed } });
    const kept = { team: 'a', 'example.com/x': 'x' };
    assert.deepEqual(metadata, { ...nothingLeft, labels: kept, annotations: kept });
  });

  test('has all of the spec except the times in pod templates', () => {
    const template = { metadata: { creationTimestamp: null, labels: { app: 'x' } }, spec: { containers: [] } };
    const spec = { template, jobTemplate: { spec: { template } }, finalizers: ['kubernetes'] };
    const bare = { metadata: { labels: { app: 'x' } }, spec: { containers: [] } };
    assert.deepEqual(comparableOf({ spec })['spec'], {
      template: bare,
      jobTemplate: { spec: { template: bare } },
      finalizers: ['kubernetes'],
    });
  });

  test('keeps keys that Object.prototype has too', () => {
    const labels = JSON.parse('{"__proto__": "a", "constructor": "b"}') as Record<string, string>;
    const cleaned = comparableOf({ metadata: { labels } })['metadata'];
    assert.equal(JSON.stringify(cleaned).includes('"__proto__":"a","constructor":"b"'), true);
  });

  test('is a copy', () => {
    const object = { metadata: { name: 'web', labels: { 'k8s.io/x': 'y' } }, status: {} };
    const before = structuredClone(object);
    comparableOf(object);
    assert.deepEqual(object, before);
  });

  test('keeps metadata that is not an object', () => {
    assert.deepEqual(comparableOf({ metadata: null }), { metadata: null });
  });
});
