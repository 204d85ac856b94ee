import assert from 'node:assert/strict';
import type { ManualClock } from './manual-clock.ts';

export interface SettleOptions {
  /** Time between two checks. */
  readonly stepMs?: number;
  /** Fails after this time. The default of a minute exceeds the longest back-off of a controller. */
  readonly timeoutMs?: number;
}

/** Real time that disks and worker threads get before a settle fails. */
const graceMs = 10_000;

/** Advances the clock until `isAtRest`. Fails after a timeout: then something works or retries forever. */
export async function settle(
  clock: ManualClock,
  isAtRest: () => boolean,
  { stepMs = 100, timeoutMs = 60_000 }: SettleOptions = {},
): Promise<void> {
  // The newest change reaches a controller in the first steps. Until then it seems idle.
  await clock.advance(2 * stepMs);
  const began = performance.now();
  for (let passed = 0; passed < timeoutMs || performance.now() - began < graceMs; passed += stepMs) {
    await clock.advance(stepMs);
    if (isAtRest()) return;
    if (passed >= timeoutMs) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`still busy after ${timeoutMs / 1000} seconds`);
}
