import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseFaults } from '@flotilla/fleet/faults';
import { randomFaults } from './random-faults.ts';

const minute = 60_000;
const options = { durationMs: 10 * minute, healthyMs: 30_000 };
const members = Array.from({ length: 20 }, (_, index) => `member-${index + 1}`);

describe('random faults', () => {
  const schedule = randomFaults({ seed: 1, members, ...options });

  test('are the same for the same seed, and others for another', () => {
    assert.deepEqual(randomFaults({ seed: 1, members, ...options }), schedule);
    assert.notDeepEqual(randomFaults({ seed: 2, members, ...options }), schedule);
  });

  test('of a member do not depend on the others', () => {
    const ofFirst = schedule.filter(({ member }) => member === 'member-1');
    assert.deepEqual(randomFaults({ seed: 1, members: ['member-1'], ...options }), ofFirst);
  });

  test('come in order, are valid, hit all members with all faults, and have ended at the end', () => {
    for (const { faults } of schedule) parseFaults(faults);
    assert.ok(schedule.every(({ atMs }, at) => at === 0 || atMs >= schedule[at - 1]!.atMs));
    const last = new Map(schedule.map(({ member, faults }) => [member, faults]));
    assert.deepEqual(new Set(last.values()), new Set(['none']));
    assert.equal(last.size, members.length);
    const hit = new Set(
      schedule.flatMap(({ faults }) => faults.split(', ')).map((fault) => fault.replace(/ [-+\d].*/, '')),
    );
    assert.equal(hit.size, 9, [...hit].join());
  });
});
