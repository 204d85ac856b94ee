import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { releaseSharedObjects } from '@flotilla/apiserver';
import { startTestFleet, type TestFleet } from '@flotilla/testkit';
import type { RunningMember } from '../start-member.ts';
import { noFaults, parseFaults } from './member-faults.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const cycles = 50;

/** A leak takes memory in each of them. A large map takes a megabyte more in one, when its capacity doubles, and gives it back later. */
const rounds = 3;

/** A server, a simulator or an agent that is not released costs many times as much. */
const maxGrowth = 200 * 1024;

describe('a member that breaks and recovers 50 times', { timeout: 120_000 }, () => {
  let fleet: TestFleet;
  let member: RunningMember;
  before(async () => {
    fleet = await startTestFleet({ members: ['oslo'] });
    member = fleet.running.members.get('oslo')!;
  });
  after(() => fleet.stop());

  async function breakAndRepair(text: string): Promise<void> {
    for (let cycle = 0; cycle < cycles; cycle++) {
      for (const faults of [parseFaults(text), noFaults]) {
        await fleet.clock.advanceUntil(member.setFaults(faults));
        await fleet.clock.advance(1000);
      }
    }
    // The server forgets old events after five minutes.
    await fleet.clock.advance(10 * 60_000);
    await fleet.settle();
  }

  const held = (): { timers: number; handles: number; bytes: number } => {
    // Bounded, but far from full after so few cycles.
    releaseSharedObjects();
    collectGarbage();
    collectGarbage();
    return { timers: fleet.clock.pending, handles: process.getActiveResourcesInfo().length, bytes: bytesOfObjects() };
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
      await breakAndRepair(text);
      let before = held();
      const growths: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await breakAndRepair(text);
        const after = held();
        assert.ok(after.timers <= before.timers, `${after.timers} timers instead of ${before.timers}`);
        assert.ok(after.handles <= before.handles, `${after.handles} handles instead of ${before.handles}`);
        growths.push(after.bytes - before.bytes);
        before = after;
      }
      const growth = Math.min(...growths);
      assert.ok(growth < maxGrowth, `at least ${Math.round(growth / 1024)} KiB more in each round`);
    });
  }
});

/** Without compiled code, which V8 adds and removes as it likes. */
function bytesOfObjects(): number {
  const objects = getHeapSpaceStatistics().filter(({ space_name }) => !/^(code|trusted)/.test(space_name));
  return objects.reduce((sum, space) => sum + space.space_used_size, process.memoryUsage().external);
}
