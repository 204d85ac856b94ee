import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinctOwnerReferences, validateOwnerReferences } from './owner-references.ts';

function controllers(count: number): Parameters<typeof validateOwnerReferences>[0] {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name: `p${index}`,
    uid: `u${index}`,
    controller: true,
  }));
}

test('reports each controller after the first, up to a limit', () => {
  assert.equal(validateOwnerReferences(controllers(1), 'owners').length, 0);
  assert.equal(validateOwnerReferences(controllers(100), 'owners').length, 99);
  assert.equal(validateOwnerReferences(controllers(30_000), 'owners').length, 1);
});

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
