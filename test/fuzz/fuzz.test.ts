import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedOne, type Target } from './fuzz.ts';
import { requestTarget } from './requests.ts';
import { pureTargets } from './targets.ts';

/** Enough to notice a broken target. `npm run fuzz` runs longer. */
const inputs = 300;

async function holds(target: Target): Promise<void> {
  for (let seed = 1; seed <= inputs; seed++) assert.equal(await feedOne(target, seed), undefined);
}

describe('random input', () => {
  for (const target of pureTargets) {
    test(`is accepted or refused by ${target.name}`, () => holds(target));
  }

  test('gets a response from a server', async () => holds(await requestTarget()));
});
