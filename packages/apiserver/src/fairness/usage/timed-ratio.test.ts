import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TimedRatio } from './timed-ratio.ts';

describe('a ratio over time', () => {
  function samplesOf({ histogram }: TimedRatio): number[] {
    return Array.from(histogram.samples(), ({ value }) => value);
  }

  test('counts one observation for each nanosecond', () => {
    const ratio = new TimedRatio([0, 0.5, 1], 100);
    ratio.setLimit(4, 100);
    ratio.set(2, 103); // 3 ms at 0
    ratio.add(2, 104); // 1 ms at a half
    ratio.set(4, 105);
    ratio.advance(106.5); // 2.5 ms at 1
    ratio.advance(106.5);
    assert.deepEqual(samplesOf(ratio), [3e6, 4e6, 6.5e6, 6.5e6, 0.5e6 + 2.5e6, 6.5e6]);
  });

  test('counts the time before a new limit by the old one', () => {
    const ratio = new TimedRatio([0.5, 1], 0);
    ratio.setLimit(4, 0);
    ratio.set(2, 0);
    ratio.setLimit(2, 1);
    ratio.advance(3);
    assert.deepEqual(samplesOf(ratio), [1e6, 3e6, 3e6, 2.5e6, 3e6]);
  });
});
