import assert from 'node:assert/strict';
import type { ManualClock } from './manual-clock.ts';

export interface SettleOptions {
  /** How much time passes between two looks. */
  readonly stepMs?: number;
  /** When to give up; a minute is longer than the longest back-off of a controller. */
  readonly patienceMs?: number;
}

/** Lets time pass until `isAtRest`. Fails when that takes too long: then something works or retries without end. */
export async function settle(
  clock: ManualClock,
  isAtRest: () => boolean,
  { stepMs = 100, patienceMs = 60_000 }: SettleOptions = {},
): Promise<void> {
  // A controller hears of the newest change in the first steps, and looks idle until then.
  await clock.advance(2 * stepMs);
  for (let passed = 0; passed < patienceMs; passed += stepMs) {
    await clock.advance(stepMs);
    if (isAtRest()) return;
  }
  assert.fail(`still busy after ${patienceMs / 1000} seconds`);
}
