import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WorkSchedule, type WorkOutcome } from './work-schedule.ts';
import type { Work } from '@flotilla/api';
import { ManualClock } from '@flotilla/testkit';
import { defaultRequeueSettings, validSettings, type RequeueSettings } from './requeue-settings.ts';
import { defaultPrioritySettings } from './work-priority.ts';

const failing: WorkOutcome = { generation: 1, results: ['ManifestApplyFailed,Skipped'], isSettled: false };
const available: WorkOutcome = { generation: 1, results: ['Applied,Available'], isSettled: true };

describe('the delay after a turn', () => {
  test('grows slowly, then fast, while a Work is not settled', () => {
    const slow = [5, 2, 2.4, 2.88, 3.46, 4.15, 4.98, 5.97, 7.17, 8.6, 10.3, 12.4, 14.9];
    const fast = [22.3, 33.4, 50.2, 75.2, 113, 169, 254, 381, 571, 857, 900, 900, 900];
    const delays = [...slow, ...fast];
    assert.deepEqual(delaysOf(failing, delays.length), delays);
  });

  test('grows fast from the start if a Work is available or has reported its diff', () => {
    const delays = [5, 2, 3, 4.5, 6.75, 10.1, 15.2, 22.8, 34.2, 51.3, 76.9, 115, 173, 259, 389, 584, 876, 900, 900];
    assert.deepEqual(delaysOf(available, delays.length), delays);
  });

  test('grows slowly for a settled Work too if skipsToFastWhenSettled is false', () => {
    const settings = { ...defaultRequeueSettings, skipsToFastWhenSettled: false };
    assert.deepEqual(delaysOf(available, 4, settings), [5, 2, 2.4, 2.88]);
  });

  test('stays at five seconds if both limits are five seconds', () => {
    const settings = { ...defaultRequeueSettings, maxSlowMs: 5_000, maxFastMs: 5_000 };
    assert.deepEqual(delaysOf(failing, 10, settings), [5, 2, 2.4, 2.88, 3.46, 4.15, 4.98, 5, 5, 5]);
  });

  test('is the fixed delay for the configured number of turns', () => {
    const settings = { ...defaultRequeueSettings, fixedAttempts: 3, fixedMs: 7_000 };
    assert.deepEqual(delaysOf(failing, 5, settings), [7, 7, 7, 2, 2.4]);
  });

  test('starts again with a new generation, and with another result', () => {
    const schedule = new WorkSchedule({ clock: new ManualClock() });
    const delay = (outcome: WorkOutcome): number => rounded(schedule.delayAfterTurn('ns/w', outcome));
    assert.deepEqual([delay(failing), delay(failing), delay(failing)], [5, 2, 2.4]);
    assert.deepEqual([delay({ ...failing, generation: 2 }), delay({ ...failing, generation: 2 })], [5, 2]);
    assert.deepEqual([delay({ ...available, generation: 2 }), delay({ ...available, generation: 2 })], [5, 2]);
  });

  test('is separate for each Work, and starts again for a forgotten one', () => {
    const schedule = new WorkSchedule({ clock: new ManualClock() });
    schedule.delayAfterTurn('ns/a', failing);
    assert.equal(schedule.delayAfterTurn('ns/b', failing), 5_000);
    assert.equal(schedule.delayAfterTurn('ns/a', failing), 2_000);
    schedule.forget('ns/a');
    assert.equal(schedule.delayAfterTurn('ns/a', failing), 5_000);
  });

  test('never exceeds its longest delay, and never ends', () => {
    const delays = delaysOf(failing, 500);
    assert.equal(Math.max(...delays), 900);
    assert.equal(delays.at(-1), 900);
  });
});

describe('turns after changes on the member', () => {
  test('start at once at first, then after growing delays, up to half a second', () => {
    const schedule = new WorkSchedule({ clock: new ManualClock() });
    const delays = Array.from({ length: 12 }, () => {
      schedule.turnStarts('web');
      return schedule.delayAfterMemberChange('web');
    });
    assert.deepEqual(delays, [0, 0, 0, 0, 20, 40, 80, 160, 320, 500, 500, 500]);
  });

  test('start at once again after a quiet second, and separately for each Work', async () => {
    const clock = new ManualClock();
    const schedule = new WorkSchedule({ clock });
    for (let turn = 0; turn < 10; turn++) schedule.turnStarts('web');
    assert.equal(schedule.delayAfterMemberChange('other'), 0);
    assert.equal(schedule.delayAfterMemberChange('web'), 500);
    await clock.advance(1_000);
    assert.equal(schedule.delayAfterMemberChange('web'), 0);
  });

  test('start at once for a Work that is created again under the same name', () => {
    const schedule = new WorkSchedule({ clock: new ManualClock() });
    for (let turn = 0; turn < 10; turn++) schedule.turnStarts('web');
    schedule.forget('web');
    assert.equal(schedule.delayAfterMemberChange('web'), 0);
  });
});

describe('changes of Works on the hub', () => {
  const work = (status: 'True' | 'False'): Work => ({
    apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
    kind: 'Work',
    metadata: { name: 'web', generation: 1, creationTimestamp: '2025-01-01T00:00:00Z' },
    status: {
      conditions: ['Applied', 'Available'].map((type) => ({
        type,
        status,
        observedGeneration: 1,
        lastTransitionTime: '2025-01-01T00:00:00Z',
        reason: 'Test',
        message: '',
      })),
    },
  });

  test('of the initial list come after live changes', () => {
    const schedule = new WorkSchedule({ clock: new ManualClock() });
    assert.deepEqual([schedule.priorityOf(undefined, false), schedule.priorityOf(undefined, true)], ['later', 'soon']);
    assert.equal(schedule.priorityOf(work('True'), true), 'soon');
  });

  test('of unhealthy Works come first if there are priorities', () => {
    const schedule = new WorkSchedule({ clock: new ManualClock(), priorities: defaultPrioritySettings });
    assert.equal(schedule.priorityOf(work('True'), true), 'later');
    assert.equal(schedule.priorityOf(work('False'), true), 'soon');
  });
});

describe('invalid settings', () => {
  test('are replaced by group', () => {
    assert.deepEqual(validSettings({ ...defaultRequeueSettings, fixedAttempts: 41 }), defaultRequeueSettings);
    assert.equal(validSettings({ ...defaultRequeueSettings, fixedMs: 100 }).fixedMs, 2_000);
    const { slowBase, fastBase } = validSettings({ ...defaultRequeueSettings, slowBase: 1.6 });
    assert.deepEqual([slowBase, fastBase], [1.2, 1.2]);
    for (const wrong of [{ initialSlowMs: 1 }, { initialSlowMs: 16_000 }, { maxFastMs: 3_600_001 }]) {
      const { initialSlowMs, maxSlowMs, maxFastMs } = validSettings({ ...defaultRequeueSettings, ...wrong });
      assert.deepEqual([initialSlowMs, maxSlowMs, maxFastMs], [2_000, 30_000, 900_000]);
    }
  });
});

function delaysOf(outcome: WorkOutcome, turns: number, settings?: RequeueSettings): number[] {
  const schedule = new WorkSchedule({ clock: new ManualClock(), requeue: settings });
  return Array.from({ length: turns }, () => rounded(schedule.delayAfterTurn('ns/w', outcome)));
}

/** In seconds, to three digits. */
function rounded(milliseconds: number): number {
  return Number((milliseconds / 1000).toPrecision(3));
}
