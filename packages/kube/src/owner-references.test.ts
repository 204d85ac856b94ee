import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinctOwnerReferences } from './owner-references.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u1' };

test('keeps references that differ in any field', () => {
  const references = [owner, { ...owner, name: 'b' }, { ...owner, controller: true }];
  assert.deepEqual(distinctOwnerReferences(references), { references, warning: undefined });
});

test('drops repeated references with a warning', () => {
  assert.deepEqual(distinctOwnerReferences([owner, { ...owner }, { ...owner }]), {
    references: [owner],
    warning:
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u1, u1',
  });
});
