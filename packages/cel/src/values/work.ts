/**
 * Counts work that cel-go does not charge: measuring a text, comparing nested lists, empty turns of a loop.
 * Kubernetes may spend hours on it. Here too much work ends the evaluation like a cost that is too high. Evaluations
 * run one at a time, so one counter is enough.
 */

/** A step takes about 50 ns. Useful evaluations within Kubernetes' cost limit take fewer steps. */
const maxSteps = 5_000_000;

/** Not limited between evaluations. */
let stepsLeft = Infinity;

/** Returns the steps that an outer evaluation has left, for `stopCounting`. */
export function startCounting(): number {
  const outer = stepsLeft;
  stepsLeft = Math.min(outer, maxSteps);
  return outer;
}

export function stopCounting(outer: number): void {
  stepsLeft = outer;
}

export function countWork(amount: number): void {
  stepsLeft -= amount;
  if (stepsLeft < 0) endAtCostLimit();
}

/** Reading characters is faster than all other steps. */
export function countReading(length: number): void {
  if (length > 1_000) countWork(length >> 4);
}

/** Ends an evaluation from any depth. */
class CostLimitReached extends Error {}

const costLimitReached = new CostLimitReached();

export function endAtCostLimit(): never {
  throw costLimitReached;
}

export function isCostLimitReached(error: unknown): boolean {
  return error instanceof CostLimitReached;
}

/** Nothing larger is created: it could not be read within Kubernetes' cost limits. */

/** In UTF-16 units. */
export const maxStringLength = 2 ** 24;

export const maxListSize = 2 ** 21;
