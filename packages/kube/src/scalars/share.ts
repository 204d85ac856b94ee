/** Resolves a count (`2`) or a percentage of `total` (`25%`). Text that is neither counts as nothing. */
export function shareOf(value: number | string, total: number, round: (share: number) => number): number {
  if (typeof value === 'number') return value;
  const amount = Number.parseInt(value, 10);
  if (Number.isNaN(amount)) return 0;
  return value.endsWith('%') ? round((amount * total) / 100) : amount;
}
