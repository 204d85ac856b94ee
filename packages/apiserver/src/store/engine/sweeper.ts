import type { Clock } from '@flotilla/timing';
import type { IndexedStore } from '../index/indexed-store.ts';

/** Deletes rows of store number `store` that only history up to `compacted` needed. */
type Sweep = (store: number, compacted: number) => Promise<void>;

const lookEveryMs = 1000;
/** Under load the file must not grow for long; this many revisions are worth a few transactions. */
const worthwhileRevisions = 1000;
/** A quiet store is swept now and then, so that a thousand of them do not keep the disk awake. */
const longestWaitMs = 60_000;

interface Swept {
  readonly id: number;
  readonly store: IndexedStore;
  revision: number;
  time: number;
}

/** Lets the file forget what the stores' histories have forgotten. */
export class Sweeper {
  readonly #clock: Clock;
  readonly #sweep: Sweep;
  readonly #stores: Swept[] = [];
  readonly #stop: () => void;
  #running: Promise<void> | undefined;

  constructor(clock: Clock, sweep: Sweep) {
    this.#clock = clock;
    this.#sweep = sweep;
    this.#stop = clock.every(lookEveryMs, () => {
      this.#running ??= this.#look().finally(() => (this.#running = undefined));
    });
  }

  add(id: number, store: IndexedStore, sweptRevision: number): void {
    this.#stores.push({ id, store, revision: sweptRevision, time: this.#clock.now() });
  }

  async stop(): Promise<void> {
    this.#stop();
    await this.#running;
  }

  async #look(): Promise<void> {
    for (const swept of this.#stores) {
      swept.store.trim();
      if (this.#isDue(swept) && !(await this.#sweepOne(swept))) return;
    }
  }

  #isDue({ store, revision, time }: Swept): boolean {
    const forgotten = store.compactedRevision - revision;
    return forgotten >= worthwhileRevisions || (forgotten > 0 && this.#clock.now() - time >= longestWaitMs);
  }

  async #sweepOne(swept: Swept): Promise<boolean> {
    const compacted = swept.store.compactedRevision;
    try {
      await this.#sweep(swept.id, compacted);
    } catch {
      // Nothing is lost by rows that stay too long; a disk that refuses this also refuses writes, which do complain.
      return false;
    }
    swept.revision = compacted;
    swept.time = this.#clock.now();
    return true;
  }
}
