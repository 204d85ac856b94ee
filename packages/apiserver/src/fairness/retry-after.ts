const maxSeconds = 32;

interface Dropped {
  readonly second: number;
  count: number;
}

/**
 * The seconds after which rejected callers should try again. They double while a level rejects many requests, and fall one by
 * one when it rejects few, as in Kubernetes.
 */
export class RetryAfter {
  #seconds = 1;
  #changedAt = 0;
  #history: Dropped[] = [];
  #current: Dropped = { second: 0, count: 0 };

  get seconds(): number {
    return this.#seconds;
  }

  recordDropped(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    if (second === this.#current.second) {
      this.#current.count++;
      return;
    }
    this.#history.push(this.#current);
    const oldest = this.#current.second - Math.min(2 * this.#seconds, maxSeconds);
    this.#history = this.#history.filter((dropped) => dropped.second >= oldest);
    this.#current = { second, count: 1 };
    this.#update(second);
  }

  #update(second: number): void {
    const dropped = this.#history
      .filter((earlier) => second - earlier.second <= this.#seconds)
      .reduce((sum, { count }) => sum + count, 0);
    if (second - this.#changedAt >= this.#seconds && dropped >= 3 * this.#seconds) {
      this.#seconds = Math.min(2 * this.#seconds, maxSeconds);
      this.#changedAt = second;
    } else if (dropped < this.#seconds && this.#seconds > 1) {
      this.#seconds--;
    }
  }
}
