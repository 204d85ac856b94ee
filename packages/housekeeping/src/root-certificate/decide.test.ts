import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConfigMap } from '@flotilla/kube';
import { nothingToDo } from '@flotilla/runtime';
import { decideRootCertificate } from './decide.ts';

const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sea' }, status: { phase: 'Active' } };

function decided(configMap?: ConfigMap): ConfigMap | undefined {
  const [[write] = []] = decideRootCertificate({ namespace, configMap, certificate: 'PEM' }).steps;
  return write && 'object' in write ? write.object : undefined;
}

const made = decided() ?? assert.fail('no ConfigMap');

describe('the certificate of a namespace', () => {
  test('is published with a description', () => {
    assert.equal(made.metadata.name, 'kube-root-ca.crt');
    assert.equal(made.metadata.namespace, 'sea');
    assert.deepEqual(made.data, { 'ca.crt': 'PEM' });
    assert.match(made.metadata.annotations?.['kubernetes.io/description'] ?? '', /^Contains a CA bundle/);
  });

  test('is not written if it is up to date', () => {
    assert.equal(decided(made), undefined);
  });

  test('is restored after its data is changed or extended', () => {
    assert.deepEqual(decided({ ...made, data: { 'ca.crt': 'other' } }), made);
    assert.deepEqual(decided({ ...made, data: { 'ca.crt': 'PEM', more: 'x' } }), made);
  });

  test('keeps other annotations and labels', () => {
    const metadata = { ...made.metadata, annotations: { mine: 'x' }, labels: { a: 'b' } };
    const after = decided({ ...made, metadata });
    assert.equal(after?.metadata.annotations?.['mine'], 'x');
    assert.deepEqual(after?.metadata.labels, { a: 'b' });
  });

  test('is not published in a terminating namespace', () => {
    const leaving = { ...namespace, status: { phase: 'Terminating' } };
    assert.deepEqual(
      decideRootCertificate({ namespace: leaving, configMap: undefined, certificate: 'PEM' }),
      nothingToDo,
    );
  });
});
