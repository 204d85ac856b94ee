/** In a process of its own, because other tests would open resources too. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '@flotilla/testkit';
import { startFleet } from './start-fleet.ts';

/** Open handles of this process, without the pipes to the test runner. */
function openResources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /Timeout|TCP|TLS|Message|Worker/.test(name));
}

test('a fleet that cannot start leaves no timer, socket or thread open', async () => {
  const clock = new ManualClock();
  const before = openResources();
  await assert.rejects(startFleet({ members: ['hub'], clock }), /duplicate cluster name hub/);
  await assert.rejects(startFleet({ members: ['oslo', 'No name', 'rome'], clock }), /invalid cluster name "No name"/);
  await setImmediate();
  assert.deepEqual(openResources(), before);
  assert.equal(clock.pending, 0);
});

test('a stopped fleet leaves no timer, socket or file behind', async () => {
  const clock = new ManualClock();
  const [before, files] = [openResources(), await readdir('.')];
  const fleet = await startFleet({ members: 3, clock });
  assert.ok(openResources().length > before.length);
  await fleet.stop();
  // Node releases a socket in the turn after it was closed.
  await setImmediate();
  assert.deepEqual(openResources(), before);
  assert.equal(clock.pending, 0);
  assert.deepEqual(await readdir('.'), files);
});
