import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from './manual-clock.ts';

describe('a manual clock', () => {
  test('stands still until the test moves it', async () => {
    const clock = new ManualClock(1000);
    assert.equal(clock.now(), 1000);
    await clock.advance(500);
    assert.equal(clock.now(), 1500);
  });

  test('fires timers in the order of their times, each at its own time', async () => {
    const clock = new ManualClock(0);
    const fired: string[] = [];
    clock.after(200, () => fired.push(`late at ${clock.now()}`));
    clock.after(100, () => fired.push(`early at ${clock.now()}`));
    clock.after(301, () => fired.push('never'));
    await clock.advance(300);
    assert.deepEqual(fired, ['early at 100', 'late at 200']);
    assert.equal(clock.pending, 1);
  });

  test('flushes promises that a timer starts before the next one fires', async () => {
    const clock = new ManualClock(0);
    const events: string[] = [];
    clock.after(1, () => void Promise.resolve().then(() => events.push('started by the first')));
    clock.after(2, () => events.push('second'));
    await clock.advance(2);
    assert.deepEqual(events, ['started by the first', 'second']);
  });

  test('repeats an interval until it is cancelled, also by its own callback', async () => {
    const clock = new ManualClock(0);
    const times: number[] = [];
    const cancel = clock.every(10, () => {
      times.push(clock.now());
      if (times.length === 3) cancel();
    });
    await clock.advance(100);
    assert.deepEqual(times, [10, 20, 30]);
    assert.equal(clock.pending, 0);
  });

  test('fires each due timer once when it skips, and continues from there', async () => {
    const clock = new ManualClock(0);
    const times: number[] = [];
    clock.every(10, () => times.push(clock.now()));
    await clock.skip(1000);
    await clock.advance(10);
    assert.deepEqual(times, [1000, 1010]);
  });

  test('advances until a promise is settled, and returns its outcome', async () => {
    const clock = new ManualClock(0);
    const ready = new Promise<string>((resolve) => clock.after(250, () => resolve('ready')));
    assert.equal(await clock.advanceUntil(ready), 'ready');
    assert.equal(clock.now(), 300);
    await assert.rejects(clock.advanceUntil(Promise.reject(new Error('refused'))), /refused/);
    assert.equal(clock.now(), 300);
  });
});
