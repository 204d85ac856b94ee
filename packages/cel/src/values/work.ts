/**
 * Work that cel-go does without charging for it: reading a text to know its length, comparing what lies deep in two lists,
 * turns of a loop that do nothing. Kubernetes may spend hours on it; here it ends the evaluation like a cost that is too
 * high. One evaluation runs at a time, so one count is enough.
 */

/** A step takes some 50 ns. An evaluation whose cost is within Kubernetes' limit, and that is meant to be useful, takes fewer. */
const maxSteps = 5_000_000;

/** Nothing is counted between evaluations. */
let stepsLeft = Infinity;

/** Gives what an outer evaluation has left, for `endWork`. */
export function beginWork(): number {
  const outer = stepsLeft;
  stepsLeft = Math.min(outer, maxSteps);
  return outer;
}

export function endWork(outer: number): void {
  stepsLeft = outer;
}

export function work(amount: number): void {
  stepsLeft -= amount;
  if (stepsLeft < 0) endAtCostLimit();
}

/** Characters are read faster than anything else is done. */
export function readText(length: number): void {
  if (length > 1_000) work(length >> 4);
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

/** Sizes beyond which nothing is built: what is larger could not be read within the cost limits of Kubernetes. */

/** In UTF-16 units. */
export const maxStringLength = 2 ** 24;

export const maxListSize = 2 ** 21;
