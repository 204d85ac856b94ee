import assert from 'node:assert/strict';
import { test } from 'node:test';
import { socketsOf, untilSocketsAreBack } from '../hostile/descriptors.ts';
import { Victim } from '../hostile/victim.ts';
import { Chance } from './chance.ts';
import { connectionTarget } from './connections.ts';

const scripts = 400;
const atOnce = 8;

test('the server survives any bytes on a connection, and closes it', { timeout: 60_000 }, async () => {
  await using victim = await Victim.start();
  const before = socketsOf(victim.server.child.pid);
  const target = connectionTarget(victim.server);
  for (let seed = 1; seed <= scripts; seed += atOnce) {
    const batch = Array.from({ length: atOnce }, (_, index) => new Chance(seed + index));
    await Promise.all(batch.map(async (chance) => target.feed(chance, () => undefined)));
    assert.equal(
      victim.server.child.exitCode,
      null,
      `a script from seed ${seed} ended the server: ${victim.server.stderr()}`,
    );
  }
  await victim.isUnharmed();
  await untilSocketsAreBack(victim.server.child.pid, before);
});
