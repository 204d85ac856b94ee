import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { pause } from './pause.ts';

describe('a pause', () => {
  test('ends with its time, and leaves no listener on the signal', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const paused = pause(clock, 1000, signal);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    await clock.advance(1000);
    await paused;
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  test('ends at an abort, without an error, and cancels its timer', async () => {
    const clock = new ManualClock();
    const stopping = new AbortController();
    const paused = pause(clock, 1000, stopping.signal);
    stopping.abort(new Error('stopped'));
    await paused;
    assert.equal(clock.pending, 0);
  });

  test('sets no timer for a signal that is aborted already', async () => {
    const clock = new ManualClock();
    await pause(clock, 1000, AbortSignal.abort());
    assert.equal(clock.pending, 0);
  });

  test('needs no signal', async () => {
    const clock = new ManualClock();
    const paused = pause(clock, 1000, undefined);
    await clock.advance(1000);
    await paused;
  });
});
