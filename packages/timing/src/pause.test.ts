import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import type { Clock } from './clock.ts';
import { pause } from './pause.ts';

/** Keeps the calls that `after` asked for, and how many were cancelled. */
function stoppedClock(): Clock & { readonly calls: (() => void)[]; cancelled: number } {
  const clock = {
    calls: [] as (() => void)[],
    cancelled: 0,
    now: () => 0,
    after: (_: number, call: () => void) => {
      clock.calls.push(call);
      return () => void clock.cancelled++;
    },
    every: () => assert.fail('a pause needs one timer'),
  };
  return clock;
}

describe('a pause', () => {
  test('ends with its time, and leaves no listener on the signal', async () => {
    const clock = stoppedClock();
    const { signal } = new AbortController();
    const paused = pause(clock, 1000, signal);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    clock.calls[0]?.();
    await paused;
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  test('ends at an abort, without an error, and cancels its timer', async () => {
    const clock = stoppedClock();
    const stopping = new AbortController();
    const paused = pause(clock, 1000, stopping.signal);
    stopping.abort(new Error('stopped'));
    await paused;
    assert.equal(clock.cancelled, 1);
  });

  test('sets no timer for a signal that is aborted already', async () => {
    const clock = stoppedClock();
    await pause(clock, 1000, AbortSignal.abort());
    assert.equal(clock.calls.length, 0);
  });

  test('needs no signal', async () => {
    const clock = stoppedClock();
    const paused = pause(clock, 1000, undefined);
    clock.calls[0]?.();
    await paused;
  });
});
