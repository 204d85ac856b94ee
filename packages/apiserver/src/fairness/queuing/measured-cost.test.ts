import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MeasuredCost } from './measured-cost.ts';

describe('the measured cost of requests', () => {
  /** The factor after measurements of so much busy time for so much estimated time, `pauseMs` apart. */
  function factorAfter(measurements: readonly (readonly [busy: number, estimated: number])[], pauseMs = 2): number {
    let busyMs = 1000;
    const cost = new MeasuredCost(() => busyMs);
    cost.measure(0);
    for (const [index, [busy, estimated]] of measurements.entries()) {
      busyMs += busy;
      cost.add(estimated);
      cost.measure((index + 1) * pauseMs);
    }
    return cost.factor;
  }

  test('is the estimated one before a measurement', () => {
    assert.equal(factorAfter([]), 1);
  });

  test('grows with the time for which the event loop is busy', () => {
    assert.equal(factorAfter([[3, 2]]), 1.5);
  });

  test('is that of many measurements, so that one without requests does not count for all', () => {
    const factor = factorAfter([...Array.from({ length: 100 }, () => [1, 1] as const), [1, 0]]);
    assert.ok(factor > 1 && factor < 1.03, `${factor}`);
  });

  test('follows a machine that became slower', () => {
    const [fast, slow] = [
      Array.from({ length: 100 }, () => [1, 1] as const),
      Array.from({ length: 300 }, () => [2, 1] as const),
    ];
    const factor = factorAfter([...fast, ...slow]);
    assert.ok(factor > 1.95 && factor <= 2, `${factor}`);
  });

  test('has limits, however busy or idle the loop is', () => {
    assert.deepEqual([factorAfter([[100, 1]]), factorAfter([[0, 1]])], [4, 0.25]);
  });

  test('ignores the time between requests that come rarely', () => {
    assert.equal(factorAfter([[40, 1]], 51), 1);
  });
});
