import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startTestFleet, type TestFleet } from '@flotilla/testkit';
import type { RunningMember } from '../start-member.ts';
import { noFaults, parseFaults } from './member-faults.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const warmUp = 10;
const cycles = 50;

/** A server, a simulator or an agent that is not released costs more than that in ten cycles. */
const maxGrowth = 1.5 * 2 ** 20;

describe('a member that breaks and recovers 50 times', { timeout: 120_000 }, () => {
  let fleet: TestFleet;
  let member: RunningMember;
  before(async () => {
    fleet = await startTestFleet({ members: ['oslo'] });
    member = fleet.running.members.get('oslo')!;
    // Fills what is bounded: the objects that a server has parsed last, compiled code.
    await breakAndRepair('stop', cycles);
  });
  after(() => fleet.stop());

  async function breakAndRepair(text: string, times: number): Promise<void> {
    for (let cycle = 0; cycle < times; cycle++) {
      for (const faults of [parseFaults(text), noFaults]) {
        await fleet.clock.advanceUntil(member.setFaults(faults));
        await fleet.clock.advance(1000);
      }
    }
    // The server forgets old events after five minutes.
    await fleet.clock.advance(10 * 60_000);
    await fleet.settle();
  }

  const held = (): { timers: number; handles: number; heap: number } => {
    collectGarbage();
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return { timers: fleet.clock.pending, handles: process.getActiveResourcesInfo().length, heap: heapUsed + external };
  };

  for (const text of [
    'stop',
    'partition',
    'slow 300ms',
    'fail workloads',
    'fail api 30%',
    'fail agent',
    'fail webhook',
    'fail clock +5m',
  ]) {
    test(`by ${text} has no more timers, handles and memory than before`, async () => {
      await breakAndRepair(text, warmUp);
      const before = held();
      await breakAndRepair(text, cycles);
      const after = held();
      assert.ok(after.timers <= before.timers, `${after.timers} timers instead of ${before.timers}`);
      assert.ok(after.handles <= before.handles, `${after.handles} handles instead of ${before.handles}`);
      const growth = after.heap - before.heap;
      assert.ok(growth < maxGrowth, `${Math.round(growth / 1024)} KiB more`);
    });
  }
});
