import type { LoopTurns } from './loop-turns.ts';

/** Work that yields wherever it can be interrupted. */
export type Steps<T> = Generator<void, T>;

/** Begins in a turn of its own, so that many of these do not begin together. */
export async function runSteps<T>(turns: LoopTurns, steps: Steps<T>): Promise<T> {
  await turns.next();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (turns.isOverByNow()) await turns.next();
  }
}
