/**
 * How Kubernetes allocates cluster IPs and node ports. A range has a lower band for values that users request.
 * Automatic allocation uses the upper band first, so that the two seldom collide.
 */
export interface Range {
  readonly first: number;
  readonly last: number;
  /** The start of the upper band. Equals `first` if the range is too small to have two bands. */
  readonly dynamicFrom: number;
}

/** A number in [0, 1), as Math.random gives. */
export type Random = () => number;

export function lowerBandSize(size: number, { step, most }: { readonly step: number; readonly most: number }): number {
  const least = 16;
  if (size <= least) return 0;
  return Math.min(Math.max(least, Math.floor(size / step)), most);
}

/** A free value: the first after a random place in the upper band, else in the lower. Undefined if all are taken. */
export function pickFree(range: Range, isTaken: (value: number) => boolean, random: Random): number | undefined {
  const upper = pickBetween(range.dynamicFrom, range.last, isTaken, random);
  return upper ?? pickBetween(range.first, range.dynamicFrom - 1, isTaken, random);
}

function pickBetween(
  first: number,
  last: number,
  isTaken: (value: number) => boolean,
  random: Random,
): number | undefined {
  const size = last - first + 1;
  const start = Math.floor(random() * size);
  for (let step = 0; step < size; step++) {
    const value = first + ((start + step) % size);
    if (!isTaken(value)) return value;
  }
  return undefined;
}
