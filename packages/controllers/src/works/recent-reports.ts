import type { Clock } from '@flotilla/timing';

/** When a member last reported about a Work for the first time. While reports come in, the others are expected, too. */
export class RecentReports {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #lastAt = -Infinity;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  add(): void {
    this.#lastAt = this.#clock.elapsed();
  }

  get msAgo(): number {
    return this.#clock.elapsed() - this.#lastAt;
  }
}
