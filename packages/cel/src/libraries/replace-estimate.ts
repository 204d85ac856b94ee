import type { CostRange } from '../cost.ts';
import { plus, times } from '../cost/range.ts';

/** How long a text may be after all occurrences of one text in it have become another. */
export function replaceEstimate(text: CostRange, old: CostRange, replacement: CostRange): CostRange {
  const longest = mostReplaced(text.max, old.min, replacement.max);
  const shortest = leastReplaced(text.min, old.max, replacement.min);
  const count = { min: shortest.count, max: longest.count };
  return plus(times(count, replacement), { min: shortest.kept, max: longest.kept });
}

interface Outcome {
  readonly count: number;
  /** What is left of the original. */
  readonly kept: number;
}

/** Nothing is found between all characters; what is not longer than before counts as unchanged. */
function mostReplaced(text: number, old: number, replacement: number): Outcome {
  if (old === 0) return { count: text + 1, kept: text };
  if (replacement <= old) return { count: 0, kept: text };
  return { count: Math.ceil(text / old), kept: 0 };
}

function leastReplaced(text: number, old: number, replacement: number): Outcome {
  if (old === 0) return { count: text + 1, kept: text };
  if (old <= replacement) return { count: 0, kept: text };
  return { count: Math.ceil(text / old), kept: 0 };
}
