import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { configMap, deployment, inWords, kinds, saidOf, TestFleet } from './test-fleet.ts';

describe('a Work', () => {
  let fleet: TestFleet;
  beforeEach(async () => {
    fleet = await TestFleet.start();
  });
  afterEach(() => fleet.close());

  test('is applied, and its status comes back', async () => {
    const work = await fleet.place('web', [configMap('settings', { colour: 'blue' }), deployment('web')]);
    assert.deepEqual(inWords(work.status?.conditions), [
      'Applied=True AllManifestsApplied @1',
      'Available=False SomeManifestsAreNotAvailable @1',
    ]);
    assert.deepEqual(saidOf(work, 0), ['Applied=True Applied', 'Available=True Available']);
    console.log(JSON.stringify(work, null, 1));
    console.log(JSON.stringify(await fleet.appliedWork('web'), null, 1));
    console.log(fleet.asked.hub.take(), fleet.asked.member.take());
    await fleet.clock.advance(20_000);
    console.log(fleet.asked.hub.take(), fleet.asked.member.take());
    console.log(JSON.stringify(await fleet.onMember(kinds.deployment, 'web'), null, 1));
  });
});
