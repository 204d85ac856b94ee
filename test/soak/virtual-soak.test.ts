import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { randomFaults, startTestFleet, type TestFleet } from '@flotilla/testkit';
import { placeWorks, problemsOnHub, problemsOnMember } from './fleet-health.ts';

const minute = 60_000;
const members = Array.from({ length: 20 }, (_, index) => `member-${index + 1}`);

/** `npm run soak` does the same with a real process, in real time. */
describe('20 members with random faults for 10 minutes', { timeout: 180_000 }, () => {
  let fleet: TestFleet;
  let timers: number;
  before(async () => {
    fleet = await startTestFleet({ members });
    await placeWorks(fleet.hub, members, 'before', 'nginx:1.26');
    await fleet.settle();
    timers = fleet.clock.pending;
  });
  after(() => fleet.stop());

  for (const seed of [1, 2, 3]) {
    test(`are healthy afterwards, and all that was placed is available, with seed ${seed}`, async () => {
      const schedule = randomFaults({ seed, members, durationMs: 10 * minute });
      const half = schedule.findIndex(({ atMs }) => atMs > 5 * minute);
      await fleet.faults.play(schedule.slice(0, half));
      await placeWorks(fleet.hub, members, 'meanwhile', `nginx:1.2${seed}`);
      const begin = schedule[half]?.atMs ?? 0;
      await fleet.faults.play(schedule.slice(half).map((entry) => ({ ...entry, atMs: entry.atMs - begin })));

      // The longest back-off of an agent is 15 minutes.
      await fleet.clock.advance(16 * minute);
      await fleet.settle();
      assert.deepEqual(await problems(), []);
      assert.ok(fleet.clock.pending <= timers, `${fleet.clock.pending} timers instead of ${timers}`);
    });
  }

  async function problems(): Promise<string[]> {
    const ofMembers = members.map((name) => problemsOnMember(fleet.member(name), name));
    return [...(await problemsOnHub(fleet.hub, fleet.clock.now())), ...(await Promise.all(ofMembers)).flat()];
  }
});
