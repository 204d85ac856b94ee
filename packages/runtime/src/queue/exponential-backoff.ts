export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The delay after a number of consecutive failures: doubled each time, up to a limit. */
export function exponentialDelay(failures: number, { firstMs, maxMs }: BackoffOptions): number {
  // 2 ** 1024 is infinite, which the limit makes finite again.
  return Math.min(firstMs * 2 ** failures, maxMs);
}
