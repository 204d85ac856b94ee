import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { configMaps } from '@flotilla/kube';
import { isDeletingDependents, OwnerGraph, type Node, type Owner } from './owner-graph.ts';

const references = (...owners: readonly string[]) =>
  owners.map((owner) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: owner }));

function node(uid: string, owners: readonly string[]): Node {
  return { kind: configMaps, key: { name: uid }, uid, owners: references(...owners), isDeletingDependents: false };
}

const uids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const operations = fc.array(
  fc.oneof(
    fc.record({ verb: fc.constant('set'), uid: uids, owners: fc.uniqueArray(uids, { maxLength: 3 }) }),
    fc.record({ verb: fc.constant('remove'), uid: uids, owners: fc.constant([]) }),
  ),
);

describe('a graph of owners', () => {
  test('has the dependents that a search through all objects would find', () => {
    fc.assert(
      fc.property(operations, (sequence) => {
        const graph = new OwnerGraph();
        const all = new Map<string, readonly string[]>();
        for (const { verb, uid, owners } of sequence) {
          if (verb === 'set') {
            graph.set(node(uid, owners));
            all.set(uid, owners);
          } else {
            graph.remove(uid);
            all.delete(uid);
          }
        }
        assert.deepEqual(new Set(graph.uids()), new Set(all.keys()));
        for (const owner of ['a', 'b', 'c', 'd', 'e']) {
          const expected = [...all].filter(([, owners]) => owners.includes(owner)).map(([uid]) => uid);
          assert.deepEqual(new Set(graph.dependentsOf(owner).map(({ uid }) => uid)), new Set(expected));
          assert.equal(graph.hasDependents(owner), expected.length > 0);
        }
      }),
    );
  });

  test('remembers equal references once, and no others', () => {
    const graph = new OwnerGraph();
    const [first, equal, other] = [references('o', 'p'), references('o', 'p'), references('o', 'q')];
    const remember = (uid: string, of: typeof first): readonly Owner[] => {
      const owners = graph.ownersOf(of);
      graph.set({ ...node(uid, []), owners });
      return owners;
    };
    const known = remember('a', first);
    assert.equal(remember('b', equal), known);
    assert.deepEqual(
      remember('c', other).map(({ uid }) => uid),
      ['o', 'q'],
    );
    assert.notEqual(graph.ownersOf(first.map((reference) => ({ ...reference, blockOwnerDeletion: true }))), known);
    assert.deepEqual(graph.ownersOf([]), []);
  });

  test('returns the node that is replaced or removed', () => {
    const graph = new OwnerGraph();
    const before = node('a', ['b']);
    assert.equal(graph.set(before), undefined);
    assert.equal(graph.set(node('a', ['c'])), before);
    assert.equal(graph.remove('missing'), undefined);
  });
});

test('an object waits for its dependents when it is deleted in the foreground', () => {
  const finalizers = ['foregroundDeletion'];
  assert.equal(isDeletingDependents({ uid: 'a', finalizers, deletionTimestamp: '2026-01-01T00:00:00Z' }), true);
  assert.equal(isDeletingDependents({ uid: 'a', finalizers }), false);
  assert.equal(isDeletingDependents({ uid: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' }), false);
});
