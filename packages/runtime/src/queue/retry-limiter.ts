import { exponentialDelay } from './exponential-backoff.ts';
import { TokenBucket } from './token-bucket.ts';

export interface RetryLimits {
  /** Delay after the first failure of a key; doubled with each further one. */
  readonly firstMs?: number;
  readonly maxMs?: number;
  /** For all keys together. */
  readonly perSecond?: number;
  readonly burst?: number;
}

/** When a failed key is retried, with client-go's limits: a back-off for each key and a rate for all. */
export class RetryLimiter {
  readonly #backoff: { readonly firstMs: number; readonly maxMs: number };
  readonly #bucket: TokenBucket;
  readonly #failures = new Map<string, number>();

  constructor(nowMs: number, { firstMs = 5, maxMs = 1_000_000, perSecond = 10, burst = 100 }: RetryLimits = {}) {
    this.#backoff = { firstMs, maxMs };
    this.#bucket = new TokenBucket(perSecond, burst, nowMs);
  }

  /** Counts a failure and returns the delay until the retry. */
  delayAfterFailure(key: string, nowMs: number): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return Math.max(exponentialDelay(failures, this.#backoff), this.#bucket.reserve(nowMs));
  }

  failuresOf(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  forget(key: string): void {
    if (this.#failures.size > 0) this.#failures.delete(key);
  }

  /** The number of keys whose last try failed. */
  get failing(): number {
    return this.#failures.size;
  }
}
