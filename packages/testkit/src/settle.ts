import assert from 'node:assert/strict';
import type { ManualClock } from './manual-clock.ts';

/** Long enough for the longest back-off of a controller. */
const patienceMs = 60_000;

/**
 * Lets time pass in steps until `isAtRest` is true. Fails after a minute of the clock: then something works or retries without
 * end.
 */
export async function settle(clock: ManualClock, isAtRest: () => boolean, stepMs = 100): Promise<void> {
  // What was changed just now has not been noticed yet.
  await clock.advance(2 * stepMs);
  for (let passed = 0; passed < patienceMs; passed += stepMs) {
    await clock.advance(stepMs);
    if (isAtRest()) return;
  }
  assert.fail('still busy after a minute');
}
