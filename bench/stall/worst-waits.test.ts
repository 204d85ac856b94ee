import assert from 'node:assert/strict';
import { test } from 'node:test';
import { worstWaits } from './worst-waits.ts';

test('counts a wait for the request that it overlaps most', () => {
  const played = [
    { from: 0, to: 10 },
    { from: 10, to: 100 },
    { from: 100, to: 110 },
  ];
  const waits = [
    { from: 5, to: 7 },
    { from: 8, to: 96 },
    { from: 95, to: 103 },
    { from: 104, to: 120 },
  ];
  assert.deepEqual(worstWaits(played, waits), [2, 88, 16]);
});

test('does not count waits outside of all requests', () => {
  assert.deepEqual(worstWaits([{ from: 10, to: 20 }], [{ from: 0, to: 5 }]), [0]);
  assert.deepEqual(worstWaits([{ from: 10, to: 20 }], [{ from: 25, to: 50 }]), [0]);
  assert.deepEqual(worstWaits([], [{ from: 25, to: 50 }]), []);
});
