import type { Clock } from '@flotilla/timing';
import type { IndexedStore } from '../index/indexed-store.ts';

/** Deletes rows of store number `store` that only history up to `compacted` needed. */
type Sweep = (store: number, compacted: number) => Promise<void>;

const checkIntervalMs = 1000;
/** Bounds the growth of the file under load; this many revisions are worth a few transactions. */
const sweepAfterRevisions = 1000;
/** A store with few writes is swept rarely, so that a thousand of them do not keep the disk awake. */
const sweepAfterMs = 60_000;

interface Swept {
  readonly id: number;
  readonly store: IndexedStore;
  revision: number;
  time: number;
}

/** Deletes from the file what the stores' histories have dropped. */
export class Sweeper {
  readonly #clock: Clock;
  readonly #sweep: Sweep;
  readonly #stores: Swept[] = [];
  readonly #stop: () => void;
  #running: Promise<void> | undefined;

  constructor(clock: Clock, sweep: Sweep) {
    this.#clock = clock;
    this.#sweep = sweep;
    this.#stop = clock.every(checkIntervalMs, () => {
      this.#running ??= this.#sweepDue().finally(() => (this.#running = undefined));
    });
  }

  add(id: number, store: IndexedStore, sweptRevision: number): void {
    this.#stores.push({ id, store, revision: sweptRevision, time: this.#clock.now() });
  }

  async stop(): Promise<void> {
    this.#stop();
    await this.#running;
  }

  async #sweepDue(): Promise<void> {
    for (const swept of this.#stores) {
      swept.store.trim();
      if (this.#isDue(swept) && !(await this.#sweepOne(swept))) return;
    }
  }

  #isDue({ store, revision, time }: Swept): boolean {
    const unswept = store.compactedRevision - revision;
    return unswept >= sweepAfterRevisions || (unswept > 0 && this.#clock.now() - time >= sweepAfterMs);
  }

  async #sweepOne(swept: Swept): Promise<boolean> {
    const compacted = swept.store.compactedRevision;
    try {
      await this.#sweep(swept.id, compacted);
    } catch {
      // Rows that stay too long are harmless, and a disk that refuses this also refuses writes, which report the error.
      return false;
    }
    swept.revision = compacted;
    swept.time = this.#clock.now();
    return true;
  }
}
