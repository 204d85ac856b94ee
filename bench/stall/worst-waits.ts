/** From sending a request to its response, in milliseconds of a clock that all processes share. */
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
 * For each heavy request, the longest wait during it. A wait belongs to the request that it overlaps most, because the
 * response of a heavy request may arrive before those of the probes that it delayed. Both are ordered by `from`.
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
