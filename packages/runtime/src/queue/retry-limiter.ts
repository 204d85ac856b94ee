import { exponentialDelay } from './exponential-backoff.ts';
import { TokenBucket } from './token-bucket.ts';

export interface RetryLimits {
  /** After the first failure of a key; doubled with each one that follows. */
  readonly firstMs?: number;
  readonly maxMs?: number;
  /** All keys together. */
  readonly perSecond?: number;
  readonly burst?: number;
}

/** When a key that failed may be tried again: client-go's limits, a delay of its own and a budget for all. */
export class RetryLimiter {
  readonly #backoff: { readonly firstMs: number; readonly maxMs: number };
  readonly #bucket: TokenBucket;
  readonly #failures = new Map<string, number>();

  constructor(nowMs: number, { firstMs = 5, maxMs = 1_000_000, perSecond = 10, burst = 100 }: RetryLimits = {}) {
    this.#backoff = { firstMs, maxMs };
    this.#bucket = new TokenBucket(perSecond, burst, nowMs);
  }

  /** Counts a failure; how long to wait after it. */
  delayAfterFailure(key: string, nowMs: number): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.max(exponentialDelay(failures, this.#backoff), this.#bucket.reserve(nowMs));
  }

  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** How many keys failed when they were last tried. */
  get failing(): number {
    return this.#failures.size;
  }
}
