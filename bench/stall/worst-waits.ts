/** When something was asked and when its answer was there, in milliseconds of a clock that all processes share. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Milliseconds of the machine's monotonic clock: the same in every process. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function lengthOf({ from, to }: Span): number {
  return to - from;
}

/**
 * For each played request the longest of the waits that fell into it. A wait belongs to the request that it overlaps most: the
 * answer of a request that held up the loop may arrive before those of the probes that it held up. Both are ordered by `from`.
 */
export function worstWaits(played: readonly Span[], waits: readonly Span[]): number[] {
  const worst = played.map(() => 0);
  let first = 0;
  for (const wait of waits) {
    while (first < played.length && played[first]!.to < wait.from) first++;
    let best = -1;
    let bestOverlap = 0;
    for (let index = first; index < played.length && played[index]!.from < wait.to; index++) {
      const { from, to } = played[index]!;
      const overlap = Math.min(to, wait.to) - Math.max(from, wait.from);
      if (overlap > bestOverlap) [best, bestOverlap] = [index, overlap];
    }
    if (best >= 0) worst[best] = Math.max(worst[best] ?? 0, lengthOf(wait));
  }
  return worst;
}
