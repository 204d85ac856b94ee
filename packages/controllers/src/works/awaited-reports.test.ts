import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { AwaitedReports } from './awaited-reports.ts';
import { RecentReports } from './recent-reports.ts';

describe('a binding that waits for a report', () => {
  let clock: ManualClock;
  let reports: RecentReports;
  let awaited: AwaitedReports;
  let woken: string[];
  let stop: () => void;
  beforeEach(() => {
    clock = new ManualClock();
    reports = new RecentReports(clock);
    awaited = new AwaitedReports(reports, clock);
    woken = [];
    stop = awaited.source.subscribe(({ name }) => woken.push(name));
    reports.add();
  });

  test('is looked at when no member has reported for three seconds, and not before', async () => {
    awaited.add({ name: 'a' });
    for (let second = 0; second < 20; second++) {
      await clock.advance(1_000);
      reports.add();
    }
    await clock.advance(2_900);
    assert.deepEqual(woken, []);
    await clock.advance(200);
    assert.deepEqual(woken, ['a']);
    await clock.advance(60_000);
    assert.deepEqual(woken, ['a']);
  });

  test('gets three seconds itself, also if the last report was earlier', async () => {
    awaited.add({ name: 'a' });
    await clock.advance(2_000);
    awaited.add({ name: 'b' });
    await clock.advance(1_100);
    assert.deepEqual(woken, ['a']);
    await clock.advance(1_800);
    assert.deepEqual(woken, ['a']);
    await clock.advance(200);
    assert.deepEqual(woken, ['a', 'b']);
  });

  test('is forgotten when it is looked at for another reason, and when the controller stops', async () => {
    awaited.add({ namespace: 'app', name: 'a' });
    awaited.add({ name: 'a' });
    awaited.add({ name: 'b' });
    awaited.remove({ namespace: 'app', name: 'a' });
    awaited.remove({ name: 'b' });
    await clock.advance(4_000);
    assert.deepEqual(woken, ['a']);
    awaited.add({ name: 'c' });
    stop();
    await clock.advance(4_000);
    assert.deepEqual(woken, ['a']);
  });
});
