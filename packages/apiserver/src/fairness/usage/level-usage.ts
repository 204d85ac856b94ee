import { TimedRatio } from './timed-ratio.ts';

/** kube-apiserver's buckets. */
const requestBounds = [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1];
const seatBounds = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1];
const demandBounds = [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6];

/** How much of a priority level is in use, over time. */
export class LevelUsage {
  readonly waiting: TimedRatio;
  readonly executing: TimedRatio;
  readonly seats: TimedRatio;
  /** Seats that requests have or wait for. */
  readonly demand: TimedRatio;

  constructor(now: number) {
    this.waiting = new TimedRatio(requestBounds, now);
    this.executing = new TimedRatio(requestBounds, now);
    this.seats = new TimedRatio(seatBounds, now);
    this.demand = new TimedRatio(demandBounds, now);
  }

  setLimits(limits: { readonly waiting: number; readonly seats: number }, now: number): void {
    this.waiting.setLimit(limits.waiting, now);
    for (const ratio of [this.executing, this.seats, this.demand]) ratio.setLimit(limits.seats, now);
  }

  advance(now: number): void {
    for (const ratio of [this.waiting, this.executing, this.seats, this.demand]) ratio.advance(now);
  }
}
