import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

test('callers take turns, and each keeps its order', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  queue.push('b', 'b1');
  queue.push('c', 'c1');
  const order = Array.from({ length: 5 }, () => queue.shift());
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'a3']);
  assert.equal(queue.shift(), undefined);
});
