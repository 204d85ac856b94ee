import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  difference,
  emptySet,
  hasPath,
  intersection,
  pathsOf,
  recursiveDifference,
  setOfPaths,
  union,
  type FieldSet,
} from './field-set.ts';
import { arbitraryFields } from './arbitrary-fields.testing.ts';
import { fieldPath, pathText, type FieldPath } from './path-element.ts';

function setOf(...paths: string[]): FieldSet {
  return setOfPaths(paths.map((path) => fieldPath(...path.split('.'))));
}

function textOf(set: FieldSet): string[] {
  return Array.from(pathsOf(set), pathText);
}

/** A path as one comparable text. */
function keyOf(path: FieldPath): string {
  return JSON.stringify(path);
}

function keysOf(set: FieldSet): Set<string> {
  return new Set(Array.from(pathsOf(set), keyOf));
}

test('has the added paths, but not their parents', () => {
  const set = setOf('a.b', 'c');
  assert.equal(hasPath(set, fieldPath('a', 'b')), true);
  assert.equal(hasPath(set, fieldPath('a')), false);
  assert.equal(hasPath(set, fieldPath('a', 'b', 'c')), false);
  assert.equal(hasPath(set, []), false);
});

test('lists the members of a level before those below', () => {
  assert.deepEqual(textOf(setOf('b.z', 'b', 'c', 'a.y', 'a.x')), ['.b', '.c', '.a.x', '.a.y', '.b.z']);
});

test('removes a parent without its children', () => {
  assert.deepEqual(textOf(difference(setOf('a', 'a.b'), setOf('a'))), ['.a.b']);
});

test('removes a parent with its children', () => {
  assert.deepEqual(textOf(recursiveDifference(setOf('a', 'a.b', 'c.d', 'c.e'), setOf('a', 'c.d'))), ['.c.e']);
});

test('returns the same set if nothing changes', () => {
  fc.assert(
    fc.property(arbitraryFields, (set) => {
      assert.equal(union(set, set), set);
      assert.equal(union(set, emptySet), set);
      assert.equal(union(set, setOfPaths(pathsOf(set))), set);
      assert.equal(difference(set, emptySet), set);
      assert.equal(recursiveDifference(set, emptySet), set);
    }),
  );
});

test('union, intersection and difference are those of the sets of paths', () => {
  fc.assert(
    fc.property(arbitraryFields, arbitraryFields, (a, b) => {
      assert.deepEqual(keysOf(union(a, b)), keysOf(a).union(keysOf(b)));
      assert.deepEqual(keysOf(intersection(a, b)), keysOf(a).intersection(keysOf(b)));
      assert.deepEqual(keysOf(difference(a, b)), keysOf(a).difference(keysOf(b)));
    }),
  );
});

test('a recursive difference has no path below a removed one', () => {
  fc.assert(
    fc.property(arbitraryFields, arbitraryFields, (a, b) => {
      const taken = keysOf(b);
      const expected = [...pathsOf(a)].filter((path) => !path.some((_, i) => taken.has(keyOf(path.slice(0, i + 1)))));
      assert.deepEqual(keysOf(recursiveDifference(a, b)), new Set(expected.map(keyOf)));
    }),
  );
});

test('difference and intersection together are the original set', () => {
  fc.assert(
    fc.property(arbitraryFields, arbitraryFields, (a, b) => {
      assert.deepEqual(union(difference(a, b), intersection(a, b)), a);
    }),
  );
});
