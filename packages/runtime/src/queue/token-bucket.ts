/** Allows a burst, then a rate per second. A reservation counts even if it is for the future. */
export class TokenBucket {
  readonly #ratePerMs: number;
  readonly #burst: number;
  #tokens: number;
  #at: number;

  constructor(ratePerSecond: number, burst: number, nowMs: number) {
    this.#ratePerMs = ratePerSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#at = nowMs;
  }

  /** Takes a token and returns the time to wait for it. */
  reserve(nowMs: number): number {
    this.#refill(nowMs);
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#ratePerMs;
  }

  /** Takes a token if one is available now. */
  tryTake(nowMs: number): boolean {
    this.#refill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #refill(nowMs: number): void {
    const passed = Math.max(0, nowMs - this.#at);
    this.#tokens = Math.min(this.#burst, this.#tokens + passed * this.#ratePerMs);
    this.#at = nowMs;
  }
}
