import assert from 'node:assert/strict';
import { test } from 'node:test';
import { validateOwnerReferences } from './owner-references.ts';

function controllers(count: number): Parameters<typeof validateOwnerReferences>[0] {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    name: `p${index}`,
    uid: `u${index}`,
    controller: true,
  }));
}

test('each controller after the first is reported, as long as that does not repeat a long list without end', () => {
  assert.equal(validateOwnerReferences(controllers(1), 'owners').length, 0);
  assert.equal(validateOwnerReferences(controllers(100), 'owners').length, 99);
  assert.equal(validateOwnerReferences(controllers(30_000), 'owners').length, 1);
});
