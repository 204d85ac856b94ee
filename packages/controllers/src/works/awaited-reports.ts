import { keyText, type ObjectKey } from '@flotilla/kube';
import type { Source } from '@flotilla/runtime';
import type { Clock } from '@flotilla/timing';
import { unreportedMs } from './decide.ts';
import type { RecentReports } from './recent-reports.ts';

interface Waiting {
  readonly key: ObjectKey;
  readonly since: number;
}

/**
 * The bindings of a family that wait for reports of their Works because other members report. One timer for all of them ends when no
 * member has reported for a while. With a timer each, a busy fleet would look at every binding every few seconds.
 */
export class AwaitedReports {
  readonly #clock: Clock;
  readonly #reports: RecentReports;
  /** By binding, the one that waits longest first. */
  readonly #waiting = new Map<string, Waiting>();
  #wake: (key: ObjectKey) => void = () => {};
  #cancelTimer: (() => void) | undefined;

  constructor(reports: RecentReports, clock: Clock) {
    this.#reports = reports;
    this.#clock = clock;
  }

  add(key: ObjectKey): void {
    this.remove(key);
    this.#waiting.set(keyText(key), { key, since: this.#clock.elapsed() });
    this.#startTimer();
  }

  remove(key: ObjectKey): void {
    this.#waiting.delete(keyText(key));
  }

  readonly source: Source = {
    subscribe: (wake) => {
      this.#wake = wake;
      return () => this.#stop();
    },
    isAtRest: () => true,
  };

  #startTimer(): void {
    const [first] = this.#waiting.values();
    if (first === undefined || this.#cancelTimer !== undefined) return;
    const waitedMs = Math.min(this.#clock.elapsed() - first.since, this.#reports.msAgo);
    this.#cancelTimer = this.#clock.after(Math.max(1, unreportedMs - waitedMs), () => this.#timeout());
  }

  /** A binding that has begun to wait since then gets as much time as the others. */
  #timeout(): void {
    this.#cancelTimer = undefined;
    const now = this.#clock.elapsed();
    for (const { key, since } of this.#reports.msAgo < unreportedMs ? [] : this.#waiting.values()) {
      if (now - since < unreportedMs) break;
      this.remove(key);
      this.#wake(key);
    }
    this.#startTimer();
  }

  #stop(): void {
    this.#waiting.clear();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
