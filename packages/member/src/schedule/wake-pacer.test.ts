import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { WakePacer } from './wake-pacer.ts';

describe('a WakePacer', () => {
  test('lets the first rounds begin at once, and the next ones wait ever longer, up to half a second', () => {
    const pacer = new WakePacer(new ManualClock());
    const delays = Array.from({ length: 12 }, () => {
      pacer.roundBegins('web');
      return pacer.delayOf('web');
    });
    assert.deepEqual(delays, [0, 0, 0, 0, 20, 40, 80, 160, 320, 500, 500, 500]);
  });

  test('begins anew after a second of silence, and for each Work', async () => {
    const clock = new ManualClock();
    const pacer = new WakePacer(clock);
    for (let round = 0; round < 10; round++) pacer.roundBegins('web');
    assert.equal(pacer.delayOf('other'), 0);
    assert.equal(pacer.delayOf('web'), 500);
    await clock.advance(1_000);
    assert.equal(pacer.delayOf('web'), 0);
  });

  test('forgets', () => {
    const pacer = new WakePacer(new ManualClock());
    for (let round = 0; round < 10; round++) pacer.roundBegins('web');
    pacer.forget('web');
    assert.equal(pacer.delayOf('web'), 0);
  });
});
