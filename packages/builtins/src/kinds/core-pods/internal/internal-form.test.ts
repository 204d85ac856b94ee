import { goJson } from '@flotilla/kube';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internalForm, internalSelector } from './internal-form.ts';

test('shows every field under its Go name, absent ones as zero values', () => {
  assert.equal(
    goJson(internalForm('Toleration', { key: 'a', tolerationSeconds: 5 }), { sortKeys: false }),
    '{"Key":"a","Operator":"","Value":"","Effect":"","TolerationSeconds":5}',
  );
});

test('embeds, nests and renames', () => {
  const probe = internalForm('Probe', { httpGet: { port: 'web' } });
  assert.deepEqual(Object.keys(probe).slice(0, 5), ['Exec', 'HTTPGet', 'TCPSocket', 'GRPC', 'InitialDelaySeconds']);
  assert.deepEqual(probe['HTTPGet'], { Path: '', Port: 'web', Host: '', Scheme: '', HTTPHeaders: null });
});

test('moves the host namespaces into the security context', () => {
  const spec = internalForm('PodSpec', { hostNetwork: true, securityContext: { fsGroup: 1 } });
  const context = spec['SecurityContext'] as Record<string, unknown>;
  assert.deepEqual([context['HostNetwork'], context['HostPID'], context['FSGroup']], [true, false, 1]);
});

test('has metadata in wire form, beside the spec', () => {
  const template = internalForm('PodTemplateSpec', {
    metadata: { labels: { b: '2', a: '1' }, creationTimestamp: null },
  });
  assert.deepEqual(Object.keys(template), ['labels', 'Spec']);
  assert.deepEqual(Object.keys(template['labels'] as object), ['a', 'b']);
});

test('puts the labels of a selector first', () => {
  const selector = internalSelector({ matchExpressions: [{ key: 'x', operator: 'Exists' }], matchLabels: { a: 'b' } });
  assert.deepEqual(Object.keys(selector), ['matchLabels', 'matchExpressions']);
});
