import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextGeneration, type ObjectMeta } from './object.ts';

function after(generation: number | bigint | undefined): number | bigint {
  return nextGeneration({ generation } as ObjectMeta);
}

test('a generation wraps around like an int64', () => {
  assert.deepEqual([after(undefined), after(1)], [1, 2]);
  assert.equal(after(Number.MAX_SAFE_INTEGER), 2n ** 53n);
  assert.equal(after(2n ** 62n), 2n ** 62n + 1n);
  assert.equal(after(2n ** 63n - 1n), -(2n ** 63n));
});
