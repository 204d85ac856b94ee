import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '@flotilla/kube';
import { certificateSigningRequestKind } from './certificate-signing-request.ts';

const now = new Date('2026-01-02T03:04:05Z');

function specOf(context: { uid?: string; extra?: Record<string, string[]> }): unknown {
  const spec = { signerName: 'example.com/x', username: 'other', uid: 'u', groups: ['g'], extra: { forged: ['x'] } };
  const object: KubeObject = { apiVersion: 'certificates.k8s.io/v1', kind: 'x', metadata: {}, spec };
  certificateSigningRequestKind.prepareForCreate?.(object, { now, user: 'joe', groups: ['crew'], ...context });
  return object['spec'];
}

test('a request contains everything known about its sender, and nothing that the sender claims', () => {
  const sender = { signerName: 'example.com/x', username: 'joe', groups: ['crew'] };
  assert.deepEqual(specOf({}), sender);
  const extra = { scopes: ['a', 'b'], 'authentication.kubernetes.io/credential-id': ['JTI=1'] };
  assert.deepEqual(specOf({ uid: '7', extra }), { ...sender, uid: '7', extra });
});
