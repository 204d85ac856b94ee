import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTurn } from './loop-turns.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a little work is done at once', () => {
  const done: string[] = [];
  inTurn(() => done.push('first'));
  inTurn(() => done.push('second'));
  assert.deepEqual(done, ['first', 'second']);
});

test('much work is done in order, and others get their turn in between', async () => {
  await nextTurn();
  const order: number[] = [];
  const count = 64;
  const work = (index: number): void => {
    for (const start = performance.now(); performance.now() - start < 1;);
    order.push(index);
    // What is asked for meanwhile comes after all that waits.
    if (index === 0) inTurn(() => order.push(count));
  };
  for (let index = 0; index < count; index++) inTurn(() => work(index));
  const doneAtOnce = order.length;
  assert.ok(doneAtOnce > 0 && doneAtOnce < count, `${doneAtOnce} pieces at once`);
  await nextTurn();
  assert.ok(order.length > doneAtOnce && order.length < count, `${order.length} pieces after a turn`);
  while (order.length <= count) await nextTurn();
  assert.deepEqual(
    order.filter((index) => index < count),
    Array.from({ length: count }, (_, index) => index),
  );
});
