import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

test('callers take turns, and each keeps its order', () => {
  const queue = new FairQueue<string>(100);
  for (const item of ['a1', 'a2', 'a3']) queue.push('a', item);
  queue.push('b', 'b1');
  queue.push('c', 'c1');
  const order = Array.from({ length: 5 }, () => queue.shift());
  assert.deepEqual(order, ['a1', 'b1', 'c1', 'a2', 'a3']);
  assert.equal(queue.shift(), undefined);
});

test('a caller whose items do not end leaves slots for others', () => {
  const queue = new FairQueue<string>(8);
  const started = (): string[] => {
    const items: string[] = [];
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) items.push(item);
    return items;
  };
  for (let index = 0; index < 20; index++) queue.push('a', `a${index}`);
  assert.equal(started().length, 4);
  for (let index = 0; index < 20; index++) queue.push('b', `b${index}`);
  assert.deepEqual(started(), ['b0', 'b1']);
  queue.push('c', 'c0');
  assert.deepEqual(started(), ['c0']);
  queue.end('a');
  assert.deepEqual(started(), []);
  queue.end('b');
  assert.deepEqual(started(), ['b2']);
});
