import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { limitHeapGrowth } from './heap-growth.ts';

function flagsAfter(context: TestContext, ms: number, largeBytes: number): string[] {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const set: string[] = [];
  limitHeapGrowth({ largeBytes, checkMs: 1000, setFlags: (flags) => set.push(flags) });
  context.mock.timers.tick(ms);
  return set;
}

test('heaps of a large process grow in smaller steps, which is set once', (context) => {
  assert.deepEqual(flagsAfter(context, 10_000, 1), ['--heap-growing-percent=40']);
});

test('heaps of a small process grow as the launcher says', (context) => {
  assert.deepEqual(flagsAfter(context, 10_000, Infinity), []);
});
