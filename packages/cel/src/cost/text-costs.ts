/** Costs of functions that read a text: Kubernetes charges by its length. */
import type { CallEstimate, OverloadParts } from '../library.ts';
import type { CelValue } from '../value.ts';
import { sizeOf } from '../values/size.ts';
import { oneUnit, patternFactor, plus, scaled, times, traversalFactor, type EstimatedArgument } from './cost.ts';

/** Reads the first argument this many times. */
export function readsText(readings = 1): OverloadParts {
  const factor = readings * traversalFactor;
  return {
    // Not `factor`: rounding depends on the order of the products.
    cost: ([text]) => Math.ceil(sizeOf(text as CelValue) * readings * traversalFactor),
    estimate: ([text]) => ({ cost: scaled((text as EstimatedArgument).size, factor) }),
  };
}

/** Searches the first argument for the pattern in the second. */
export const searchesText: OverloadParts = {
  cost: ([text, pattern]) => searchCost(sizeOf(text as CelValue), sizeOf(pattern as CelValue)),
  estimate: ([text, pattern]) => searchEstimate(text as EstimatedArgument, pattern as EstimatedArgument),
};

export function searchCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * traversalFactor) * Math.ceil(patternSize * patternFactor);
}

function searchEstimate(text: EstimatedArgument, pattern: EstimatedArgument): CallEstimate {
  const textCost = scaled(plus(text.size, oneUnit), traversalFactor);
  const patternCost = scaled(pattern.size, patternFactor);
  return { cost: times(textCost, patternCost), resultSize: { min: 0, max: text.size.max } };
}
