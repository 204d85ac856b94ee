import type { IntOrString } from '../kinds.ts';

/** Resolves a count or a percentage of `total`. */
export function shareOf(value: IntOrString, total: number, round: (share: number) => number): number {
  if (typeof value === 'number') return value;
  const percent = Number.parseInt(value, 10);
  return Number.isNaN(percent) ? 0 : round((percent * total) / 100);
}
