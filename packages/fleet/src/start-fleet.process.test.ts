/** In a process of its own, where nobody else opens anything. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '@flotilla/testkit';
import { startFleet } from './start-fleet.ts';

/** What Node keeps open for us, without the pipes to whoever runs the tests. */
function openResources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /Timeout|TCP|TLS|Message|Worker/.test(name));
}

test('a fleet that cannot start leaves nothing behind, either', async () => {
  const clock = new ManualClock();
  const before = openResources();
  await assert.rejects(startFleet({ members: ['hub'], clock }), /cannot both be called hub/);
  await assert.rejects(startFleet({ members: ['oslo', 'No name', 'rome'], clock }), /no cluster can be called No name/);
  await setImmediate();
  assert.deepEqual(openResources(), before);
  assert.equal(clock.pending, 0);
});

test('a fleet leaves nothing behind: no timer, no socket, no file', async () => {
  const clock = new ManualClock();
  const [before, files] = [openResources(), await readdir('.')];
  const fleet = await startFleet({ members: 3, clock });
  assert.ok(openResources().length > before.length);
  await fleet.stop();
  // A socket is gone in the turn after it was closed.
  await setImmediate();
  assert.deepEqual(openResources(), before);
  assert.equal(clock.pending, 0);
  assert.deepEqual(await readdir('.'), files);
});
