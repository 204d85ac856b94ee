import type { PlacementOutcome } from './outcome.ts';
import { steady } from './prioritizers/built-in.ts';
import type { Candidate } from './spread.ts';

/**
 * The selected clusters with the scores that they have from now on: Steady prefers them because they are selected. Otherwise the scores
 * in the decisions would change, and be written, a second time.
 */
export function settledScores({ selected, prioritizers }: PlacementOutcome): Candidate[] {
  const result = prioritizers.find(({ name }) => name === steady.name);
  if (result === undefined) return [...selected];
  return selected.map(({ row, score }) => {
    const missing = steadyScore - (result.scores.get(row.name) ?? 0);
    return { row, score: score + result.weight * missing };
  });
}

/** Of a cluster that the Placement has selected. */
const steadyScore = 100;
