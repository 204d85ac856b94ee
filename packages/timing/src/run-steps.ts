import type { LoopTurns } from './loop-turns.ts';

/** A computation that yields wherever it can be interrupted. */
export type Steps<T> = Generator<void, T>;

/** Begins in a new turn, so that many computations do not begin in one turn. */
export async function runSteps<T>(turns: LoopTurns, steps: Steps<T>): Promise<T> {
  await turns.next();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (turns.isOverByNow()) await turns.next();
  }
}
