import type { Journal, Transaction } from '../index/indexed-store.ts';
import type { StoredEvent } from '../sqlite/log-rows.ts';
import { StoreUnavailable } from '../store.ts';

/** The outcome of a batch. */
export interface BatchReport {
  readonly events: number;
  readonly seconds: number;
  readonly isDurable: boolean;
}

/** Makes events durable, all or none. */
type Sync = (events: readonly StoredEvent[]) => Promise<void>;

/** Enough to keep the disk busy, and small enough for a short wait of each write. */
const maxBatchEvents = 1024;
const maxBatchBytes = 8 * 1024 * 1024;

/** Callers of a batch continue for so long in a turn of the event loop. Then requests of other clients come first. */
const callersMs = 2;
/** Callers that continue before the clock is read. Each may send a response, which takes about 50 µs. */
const callersPerRead = 16;

interface QueuedTransaction {
  readonly store: number;
  readonly transaction: Transaction;
}

/**
 * Shares one disk sync between all writes that wait for one. While a batch is synced, the next one collects. So a single
 * writer waits only for its own sync, and batches grow with the load.
 */
export class GroupCommit {
  readonly #sync: Sync;
  readonly #report: (batch: BatchReport) => void;
  readonly #now: () => number;
  #collecting: QueuedTransaction[] = [];
  #running: Promise<void> | undefined;
  /** Visible transactions whose callers have not continued, in order. */
  #committed: QueuedTransaction[] = [];
  #isStopped = false;

  /** `now` is in milliseconds. It only affects when callers continue, so it is not the fleet's `Clock`. */
  constructor(
    sync: Sync,
    report: (batch: BatchReport) => void = () => undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#sync = sync;
    this.#report = report;
    this.#now = now;
  }

  journalOf(store: number): Journal {
    return { append: (transaction) => this.#enqueue({ store, transaction }) };
  }

  /** Refuses further writes. Resolves when all accepted ones are settled. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
    for (const { transaction } of this.#committed.splice(0)) transaction.resolve();
  }

  #enqueue(queued: QueuedTransaction): void {
    if (this.#isStopped) return queued.transaction.abort(new StoreUnavailable('the store is closed'));
    this.#collecting.push(queued);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Requests that arrived together are handled in one turn of the event loop and should share the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#collecting.length > 0) await this.#commit(this.#takeBatch());
    this.#running = undefined;
  }

  async #commit(batch: readonly QueuedTransaction[]): Promise<void> {
    const events = batch.flatMap(({ store, transaction }) => transaction.events.map((event) => ({ store, event })));
    const start = performance.now();
    const reportBatch = (isDurable: boolean): void =>
      this.#report({ events: events.length, seconds: (performance.now() - start) / 1000, isDurable });
    try {
      await this.#sync(events);
      reportBatch(true);
    } catch (error) {
      reportBatch(false);
      // Writes accepted meanwhile may build on the failed ones.
      const all = [...batch, ...this.#collecting.splice(0)];
      for (const { transaction } of all) transaction.abort(error as Error);
      return;
    }
    for (const { transaction } of batch) transaction.commit();
    const isFirst = this.#committed.length === 0;
    this.#committed.push(...batch);
    if (isFirst) this.#resolveUntil(undefined);
  }

  /** Without an end, begins a turn. */
  #resolveUntil(end: number | undefined): void {
    for (const { transaction } of this.#committed.splice(0, callersPerRead)) transaction.resolve();
    if (this.#committed.length === 0) return;
    const endsAt = end ?? this.#now() + callersMs;
    // A tick comes after all promises, so that the callers have continued.
    process.nextTick(() => {
      if (this.#now() < endsAt) this.#resolveUntil(endsAt);
      else setImmediate(() => this.#resolveUntil(undefined));
    });
  }

  #takeBatch(): QueuedTransaction[] {
    let events = 0;
    let bytes = 0;
    let size = 0;
    for (const { transaction } of this.#collecting) {
      events += transaction.events.length;
      for (const event of transaction.events) bytes += event.entry.bytes.length;
      if (size > 0 && (events > maxBatchEvents || bytes > maxBatchBytes)) break;
      size++;
    }
    return this.#collecting.splice(0, size);
  }
}
