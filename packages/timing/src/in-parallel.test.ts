import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inParallel } from './in-parallel.ts';

describe('inParallel', () => {
  test('runs at most as many calls as workers, and returns results in order', async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([5, 4, 3, 2, 1], 2, async (turns) => {
      most = Math.max(most, ++running);
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      running--;
      return turns * 10;
    });
    assert.deepEqual(results, [50, 40, 30, 20, 10]);
    assert.equal(most, 2);
  });

  test('rejects after a failure, once all running calls have ended', async () => {
    const done: number[] = [];
    const call = async (item: number): Promise<void> => {
      await Promise.resolve();
      if (item === 1) throw new Error('one is bad');
      await Promise.resolve();
      done.push(item);
    };
    await assert.rejects(inParallel([1, 2, 3], 2, call), /one is bad/);
    assert.deepEqual(done, [2, 3]);
  });

  test('returns an empty list for no items', async () => {
    assert.deepEqual(await inParallel([], 4, () => Promise.resolve(1)), []);
  });
});
