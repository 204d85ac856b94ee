import assert from 'node:assert/strict';
import { test } from 'node:test';
import { semanticEqual } from './semantic-equal.ts';

test('an empty list, null and an absent value are equal', () => {
  assert.ok(semanticEqual({ a: [], b: 1 }, { b: 1, c: null }));
  assert.ok(semanticEqual([], undefined));
  assert.ok(!semanticEqual([], [1]));
});

test('an empty object differs from an absent one', () => {
  assert.ok(!semanticEqual({ emptyDir: {} }, {}));
  assert.ok(semanticEqual({ emptyDir: {} }, { emptyDir: {} }));
});

test('order matters in lists, not in objects', () => {
  assert.ok(semanticEqual({ a: 1, b: [{ c: 'x', d: 'y' }] }, { b: [{ d: 'y', c: 'x' }], a: 1 }));
  assert.ok(!semanticEqual([1, 2], [2, 1]));
});

test('ignores inherited properties', () => {
  assert.ok(!semanticEqual({ constructor: 1 }, {}));
  assert.ok(!semanticEqual({}, JSON.parse('{"__proto__": {"a": 1}}')));
});
