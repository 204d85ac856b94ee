/** The smallest value that the given share (0 to 1) of all values does not exceed. 0 without values. Sorts in place. */
export function percentile(values: Float64Array, share: number): number {
  if (values.length === 0) return 0;
  values.sort();
  return values[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;
}

export function median(values: readonly number[]): number {
  return percentile(Float64Array.from(values), 0.5);
}
