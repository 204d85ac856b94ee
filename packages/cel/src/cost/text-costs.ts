/** What functions cost that read a text: Kubernetes counts each reading by the length of the text. */
import type { CallEstimate, OverloadParts } from '../library.ts';
import type { CelValue } from '../value.ts';
import { sizeOf } from '../values/size.ts';
import { oneUnit, patternFactor, plus, scaled, times, traversalFactor, type EstimatedArgument } from './cost.ts';

/** The first argument is read so many times. */
export function readsText(readings = 1): OverloadParts {
  const factor = readings * traversalFactor;
  return {
    // Not by the factor: what is rounded up depends on the order of the products.
    cost: ([text]) => Math.ceil(sizeOf(text as CelValue) * readings * traversalFactor),
    estimate: ([text]) => ({ cost: scaled((text as EstimatedArgument).size, factor) }),
  };
}

/** The first argument is searched for the pattern that the second is. */
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
