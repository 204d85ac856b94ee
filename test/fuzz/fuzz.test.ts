import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedOne, type Target } from './fuzz.ts';
import { requestTarget } from './requests.ts';
import { pureTargets } from './targets.ts';

/** Enough to notice that a target broke; `npm run fuzz` looks longer. */
const inputs = 300;

async function holds(target: Target): Promise<void> {
  for (let seed = 1; seed <= inputs; seed++) assert.equal(await feedOne(target, seed), undefined);
}

describe('whatever anybody sends', () => {
  for (const target of pureTargets) {
    test(`${target.name} take it or refuse it`, () => holds(target));
  }

  test('a server answers it', async () => holds(await requestTarget()));
});
