import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { hasSameOwners } from './same-owners.ts';

const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'one' };

function same(before: unknown, after: unknown): boolean {
  return hasSameOwners(Buffer.from(JSON.stringify(before)), Buffer.from(JSON.stringify(after)));
}

function owned(ownerReferences: unknown, more: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'map', ownerReferences }, ...more };
}

describe('owner references in two states of an object', () => {
  test('are the same if only other fields changed', () => {
    assert.equal(same(owned([owner], { data: { a: '1' } }), owned([owner], { data: { b: '22' } })), true);
    assert.equal(same({ metadata: {} }, { metadata: { name: 'a' } }), true);
  });

  test('differ if any field of a reference changed, even without its uid', () => {
    for (const changed of [{ blockOwnerDeletion: true }, { controller: true }, { name: 'b' }, { kind: 'Job' }]) {
      assert.equal(same(owned([owner]), owned([{ ...owner, ...changed }])), false, JSON.stringify(changed));
    }
  });

  test('differ if one was added or removed', () => {
    assert.equal(same(owned([owner]), owned([owner, { ...owner, uid: 'two' }])), false);
    assert.equal(same(owned([owner]), { metadata: {} }), false);
    assert.equal(same({ metadata: {} }, owned([owner])), false);
  });

  test('are compared even if the object has other fields of that name', () => {
    const spec = { template: { metadata: { ownerReferences: [owner] } } };
    const before = { spec, metadata: { ownerReferences: [owner] } };
    const after = { spec, metadata: { ownerReferences: [{ ...owner, name: 'b' }] } };
    assert.equal(same(before, before), true);
    assert.equal(same(before, after), false);
  });

  test('are compared to their end, whatever their strings contain', () => {
    const texts = fc.constantFrom(']', '[', '"', '\\', '\\"]', '"ownerReferences":[', 'é', 'x');
    const references = fc.array(
      fc.record({ name: fc.array(texts).map((parts) => parts.join('')), uid: texts, isLast: fc.boolean() }),
    );
    const note = fc.array(texts).map((parts) => parts.join(''));
    fc.assert(
      fc.property(references, references, note, note, (a, b, noteA, noteB) => {
        const stateOf = (list: unknown, text: string) => ({
          metadata: { annotations: { note: text }, ownerReferences: list },
          data: { text },
        });
        assert.equal(same(stateOf(a, noteA), stateOf(b, noteB)), JSON.stringify(a) === JSON.stringify(b));
      }),
    );
  });
});
