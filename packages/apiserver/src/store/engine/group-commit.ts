import type { Journal, Transaction } from '../index/indexed-store.ts';
import type { StoredEvent } from '../sqlite/log-rows.ts';
import { StoreUnavailable } from '../store.ts';

/** How a batch went. */
export interface BatchReport {
  readonly events: number;
  readonly seconds: number;
  readonly isDurable: boolean;
}

/** Makes events durable, all or none. */
type Sync = (events: readonly StoredEvent[]) => Promise<void>;

/** Enough to keep the disk busy, little enough that nobody waits long for the others. */
const maxBatchEvents = 1024;
const maxBatchBytes = 8 * 1024 * 1024;

interface Member {
  readonly store: number;
  readonly transaction: Transaction;
}

/**
 * Shares one disk sync between all writes that wait for one. While a batch is being synced the next one collects, so a lone
 * writer waits for its own sync only, and under load batches grow by themselves.
 */
export class GroupCommit {
  readonly #sync: Sync;
  readonly #report: (batch: BatchReport) => void;
  #collecting: Member[] = [];
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(sync: Sync, report: (batch: BatchReport) => void = () => undefined) {
    this.#sync = sync;
    this.#report = report;
  }

  journalOf(store: number): Journal {
    return { append: (transaction) => this.#join({ store, transaction }) };
  }

  /** Takes no more; resolves when all that was taken is settled. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  #join(member: Member): void {
    if (this.#isStopped) return member.transaction.abort(new StoreUnavailable('the store is closed'));
    this.#collecting.push(member);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    // Requests that arrived together are handled in one turn of the event loop; they should share the first batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#collecting.length > 0) await this.#commit(this.#takeBatch());
    this.#running = undefined;
  }

  async #commit(batch: readonly Member[]): Promise<void> {
    const events = batch.flatMap(({ store, transaction }) => transaction.events.map((event) => ({ store, event })));
    const start = performance.now();
    const told = (isDurable: boolean): void =>
      this.#report({ events: events.length, seconds: (performance.now() - start) / 1000, isDurable });
    try {
      await this.#sync(events);
      told(true);
    } catch (error) {
      told(false);
      // What was accepted meanwhile may build on what has just failed.
      const all = [...batch, ...this.#collecting.splice(0)];
      for (const { transaction } of all) transaction.abort(error as Error);
      return;
    }
    for (const { transaction } of batch) transaction.commit();
  }

  #takeBatch(): Member[] {
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
