import { allocateSeats, type SeatClaim } from './allocate-seats.ts';
import type { DemandReport } from './seat-demand.ts';
import type { SeatLimits } from './seat-limits.ts';

export interface LevelDemand {
  readonly isExempt: boolean;
  readonly limits: SeatLimits;
  readonly demand: DemandReport;
  /** The seats that it has now. */
  readonly current: number;
}

export interface BorrowedSeats {
  readonly seats: readonly number[];
  readonly targets: readonly number[];
  readonly fraction: number;
}

/**
 * The seats of each level for the next period. Levels with little demand lend to those with more. An exempt level takes what
 * it needs; the others divide the rest. If the rest is short, each keeps its lower limit, and then a part of what it used.
 */
export function borrowSeats(levels: readonly LevelDemand[]): BorrowedSeats {
  const claims = levels.map(claimOf);
  const total = sum(levels.map(({ limits }) => limits.nominal));
  const rest = total - sum(levels.map(({ isExempt }, index) => (isExempt ? (claims[index]?.lower ?? 0) : 0)));
  const limited = levels.flatMap(({ isExempt }, index) => (isExempt ? [] : [index]));
  const lowest = sum(limited.map((index) => levels[index]?.limits.lower ?? 0));
  const used = sum(limited.map((index) => claims[index]?.lower ?? 0));
  const targets = claims.map(({ target }) => target);
  if (rest <= used) {
    const part = rest <= lowest ? 0 : (rest - lowest) / (used - lowest);
    const seats = levels.map(({ isExempt, limits: { lower } }, index) => {
      const claimed = claims[index]?.lower ?? 0;
      return isExempt ? claimed : lower + Math.round((claimed - lower) * part);
    });
    return { seats, targets, fraction: 0 };
  }
  // As in Kubernetes, the sum does not leave out what the exempt level takes: that level is not limited by seats.
  const allocation = allocateSeats(
    total,
    limited.map((index) => claims[index] ?? { lower: 0, upper: 0, target: 0 }),
  );
  const seats = levels.map(({ isExempt, current }, index) => {
    if (isExempt) return claims[index]?.lower ?? 0;
    return Math.round(allocation?.seats[limited.indexOf(index)] ?? current);
  });
  return { seats, targets, fraction: allocation?.fraction ?? 0 };
}

function claimOf({ isExempt, limits, demand }: LevelDemand): SeatClaim {
  const used = isExempt ? demand.highest : Math.min(limits.nominal, demand.highest);
  const lower = Math.max(limits.lower, used);
  return { lower, upper: limits.upper, target: Math.max(lower, demand.smoothed) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
