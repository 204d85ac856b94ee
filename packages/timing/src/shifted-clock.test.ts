import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { ShiftedClock } from './shifted-clock.ts';

test('a shifted clock shows another time and keeps delays', async () => {
  const clock = new ManualClock(1000);
  const shifted = new ShiftedClock(clock);
  shifted.shiftMs = -400;
  assert.equal(shifted.now(), 600);
  const fired: number[] = [];
  shifted.after(50, () => fired.push(shifted.now()));
  const stop = shifted.every(30, () => fired.push(shifted.now()));
  await clock.advance(70);
  stop();
  assert.deepEqual(fired, [630, 650, 660]);
  assert.equal(clock.pending, 0);
});
