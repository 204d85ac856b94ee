import type { Prioritizer } from './prioritizer.ts';

/** Scores are between -100 and 100. */
const best = 100;

/** Prefers clusters that few other Placements have selected. */
export const balance: Prioritizer = {
  name: 'Balance',
  score: ({ rows, elsewhere }) => {
    const largest = elsewhere.largest();
    return {
      values: rows.map(({ name }) => {
        const count = elsewhere.countOf(name);
        // Truncated before it is doubled, as OCM does: five other placements give 18, not 20.
        return count === 0 ? best : 2 * truncated(best * (0.5 - count / largest));
      }),
    };
  },
};

/** Prefers clusters that the Placement has selected already. */
export const steady: Prioritizer = {
  name: 'Steady',
  score: ({ rows, chosen }) => ({ values: rows.map(({ name }) => (chosen.has(name) ? best : 0)) }),
};

/** Prefers clusters with more allocatable resources. */
function resourceAllocatable(name: string, resource: 'cpu' | 'memory'): Prioritizer {
  return {
    name,
    score: ({ rows }) => {
      const amounts = rows.map((row) => row.allocatable(resource));
      let min = Infinity;
      let max = -Infinity;
      for (const amount of amounts) {
        if (amount === undefined) continue;
        min = Math.min(min, amount);
        max = Math.max(max, amount);
      }
      return { values: amounts.map((amount) => (amount === undefined ? undefined : position(amount, min, max))) };
    },
  };
}

function position(amount: number, min: number, max: number): number {
  return max === min ? best : truncated(((amount - min) / (max - min) - 0.5) * 2 * best);
}

/** Without a negative zero. */
function truncated(value: number): number {
  return Math.trunc(value) + 0;
}

export const builtInPrioritizers: ReadonlyMap<string, Prioritizer> = new Map(
  [
    balance,
    steady,
    resourceAllocatable('ResourceAllocatableCPU', 'cpu'),
    resourceAllocatable('ResourceAllocatableMemory', 'memory'),
  ].map((prioritizer) => [prioritizer.name, prioritizer]),
);
