/** The value that a share of all values (0 to 1) does not exceed; 0 of nothing. Sorts in place. */
export function percentile(values: Float64Array, share: number): number {
  if (values.length === 0) return 0;
  values.sort();
  return values[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;
}

export function median(values: readonly number[]): number {
  return percentile(Float64Array.from(values), 0.5);
}
