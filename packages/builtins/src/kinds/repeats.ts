/** The places in a list whose value stood in it before. One pass, because users decide how long lists are. */
export function repeatsIn(values: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const repeats = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) repeats.add(index);
    seen.add(value);
  }
  return repeats;
}
