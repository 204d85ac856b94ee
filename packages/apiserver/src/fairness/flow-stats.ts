import { Histogram } from '@flotilla/kube';

export type RejectReason = 'queue-full' | 'concurrency-limit' | 'time-out';

const durationBounds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const lengthBounds = [0, 10, 25, 50, 100, 250, 500, 1000];
const seatBounds = [1, 2, 4, 8, 16, 32, 64, 100];
const watchBounds = [0, 1, 10, 100, 1000, 10_000];

/** Counts the requests of a schema. The metrics read it at a scrape, so that a request costs some additions. */
export class FlowStats {
  readonly level: string;
  readonly schema: string;
  dispatched = 0;
  readonly rejected = new Map<RejectReason, number>();
  /** Requests that have had a seat at once, and needed one. They are most, and get into histograms at a scrape. */
  #immediate = 0;
  waitingRequests = 0;
  waitingSeats = 0;
  executingRequests = 0;
  executingSeats = 0;
  readonly waitedAndExecuted = new Histogram(durationBounds);
  readonly waitedAndRejected = new Histogram(durationBounds);
  readonly regularSeconds = new Histogram(durationBounds);
  readonly watchSeconds = new Histogram(durationBounds);
  readonly queueLengths = new Histogram(lengthBounds);
  readonly estimatedSeats = new Histogram(seatBounds);
  readonly watchCounts = new Histogram(watchBounds);

  constructor(level: string, schema: string) {
    this.level = level;
    this.schema = schema;
  }

  executedAtOnce(seats: number): void {
    this.dispatched++;
    if (seats === 1) this.#immediate++;
    else this.#observeImmediate(seats, 1);
  }

  reject(reason: RejectReason): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1);
  }

  /** Moves counts into histograms. Call it before they are read. */
  flush(): void {
    this.#observeImmediate(1, this.#immediate);
    this.#immediate = 0;
  }

  #observeImmediate(seats: number, times: number): void {
    if (times === 0) return;
    this.estimatedSeats.observe(seats, times);
    this.waitedAndExecuted.observe(0, times);
    this.queueLengths.observe(1, times);
  }
}
