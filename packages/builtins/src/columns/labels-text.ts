/** `a=b,c=d` in the order of the keys, or `<none>`. */
export function labelsText(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort();
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}
