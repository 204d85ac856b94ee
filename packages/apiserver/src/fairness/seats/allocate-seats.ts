/** What a level asks for: `target` seats, and at any rate between `lower` and `upper`. */
export interface SeatClaim {
  readonly lower: number;
  readonly upper: number;
  readonly target: number;
}

export interface SeatAllocation {
  readonly seats: readonly number[];
  /** The same part of its target for every claim that no bound holds. */
  readonly fraction: number;
}

/** A target of zero would have no proportion. */
const minTarget = 0.001;

/**
 * Divides `total` seats in proportion to the targets, within the bounds of each claim. Returns undefined if the bounds do not
 * allow that sum. The sum grows with the fraction, so that the fraction is found between two neighbouring bounds.
 */
export function allocateSeats(total: number, claims: readonly SeatClaim[]): SeatAllocation | undefined {
  const items = claims.map(({ lower, upper, target }) => ({ lower, upper, target: Math.max(target, minTarget) }));
  const at = (fraction: number): number[] =>
    items.map(({ lower, upper, target }) => Math.max(lower, Math.min(upper, fraction * target)));
  const sumAt = (fraction: number): number => sum(at(fraction));
  if (sum(items.map(({ lower }) => lower)) > total || sum(items.map(({ upper }) => upper)) < total) return undefined;
  const bounds = items
    .flatMap(({ lower, upper, target }) => [lower / target, upper / target])
    .sort((one, other) => one - other);
  const above = bounds.find((bound) => sumAt(bound) >= total);
  if (above === undefined) return undefined;
  const below = bounds.findLast((bound) => bound < above && sumAt(bound) < total) ?? 0;
  const [least, most] = [sumAt(below), sumAt(above)];
  const fraction = most === least ? above : below + ((above - below) * (total - least)) / (most - least);
  return { seats: at(fraction), fraction };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
