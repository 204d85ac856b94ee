import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putSorted } from './sorted-map.ts';

test('keeps keys sorted, whatever the order of insertion', () => {
  const map: Record<string, string> = { a: '1', c: '3' };
  putSorted(map, 'b', '2');
  putSorted(map, 'd', '4');
  putSorted(map, '__proto__', '0');
  putSorted(map, 'a', 'one');
  assert.deepEqual(Object.keys(map), ['__proto__', 'a', 'b', 'c', 'd']);
  assert.equal(map['a'], 'one');
  assert.equal(Object.getPrototypeOf(map), Object.prototype);
});
