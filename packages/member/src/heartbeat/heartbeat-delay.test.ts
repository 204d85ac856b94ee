import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heartbeatDelay, periodOf } from './heartbeat-delay.ts';

test('the period is a minute by default, and is limited to 1 to 600 seconds', () => {
  const cases: [unknown, number][] = [
    [30, 30],
    [0, 1],
    [-5, 1],
    [1e9, 600],
    ['x', 60],
    [undefined, 60],
  ];
  for (const [asked, seconds] of cases) {
    assert.equal(periodOf({ spec: { heartbeatPeriodSeconds: asked as number } }), seconds);
  }
  assert.equal(periodOf({}), 60);
  assert.equal(
    heartbeatDelay(60, () => 0.5),
    60_000,
  );
});
