import type { Clock } from '@flotilla/timing';
import type { LogEvent } from '../log/log-event.ts';
import type { StoredEvent } from '../sqlite/log-rows.ts';
import type { SqliteThread } from '../sqlite/sqlite-thread.ts';
import { StoreFull } from '../store.ts';

interface DiskSpaceOptions {
  readonly clock: Clock;
  readonly spaceChanged?: ((isFull: boolean) => void) | undefined;
}

const lookEveryMs = 1000;

/** Compact: without history on disk. */
type WriteBatch = (isCompact: boolean) => Promise<void>;

async function isDone(write: WriteBatch): Promise<boolean> {
  try {
    await write(false);
    return true;
  } catch (error) {
    if (error instanceof StoreFull) return false;
    throw error;
  }
}

/** Whether a write needs no more room than what it replaces, or leads to a deletion. */
export function isFreeing({ type, entry, previous }: Pick<LogEvent, 'type' | 'entry' | 'previous'>): boolean {
  if (type === 'delete') return true;
  if (previous === undefined) return false;
  return entry.header.deletionTimestamp !== undefined || entry.bytes.length <= previous.bytes.length;
}

/**
 * Decides what is written while the disk is full: deletes, what belongs to them, and what makes nothing larger. They get the
 * reserve, and drop the history of their stores on disk. All else waits until the reserve could be made again.
 */
export class DiskSpace {
  readonly #thread: Pick<SqliteThread, 'perform'>;
  readonly #options: DiskSpaceOptions;
  #isFull = false;
  #isLooking = false;
  #isStopped = false;
  #stopLooking: () => void = () => undefined;

  constructor(thread: Pick<SqliteThread, 'perform' | 'startedFull'>, options: DiskSpaceOptions) {
    this.#thread = thread;
    this.#options = options;
    if (thread.startedFull) this.#setFull();
  }

  refusal(events: readonly LogEvent[]): StoreFull | undefined {
    if (!this.#isFull || events.every(isFreeing)) return undefined;
    return new StoreFull('the write was not stored: the disk is full; only deletes and what makes nothing larger are');
  }

  /** `write` is called again where the first try met a full disk. */
  async append(events: readonly StoredEvent[], write: WriteBatch): Promise<void> {
    if (this.#isFull) return this.#appendCompact(write);
    try {
      await write(false);
    } catch (error) {
      if (!(error instanceof StoreFull)) throw error;
      await this.#appendToFull(events, write, error);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopLooking();
  }

  async #appendToFull(events: readonly StoredEvent[], write: WriteBatch, error: StoreFull): Promise<void> {
    await this.#thread.perform({ task: 'release' });
    // A write-ahead file that is emptied, or room in the database that nothing uses, may be all that was needed.
    if ((await this.#hasRoom()) && (await isDone(write))) return;
    this.#setFull();
    if (!events.every(({ event }) => isFreeing(event))) throw error;
    await this.#appendCompact(write);
  }

  async #appendCompact(write: WriteBatch): Promise<void> {
    try {
      await write(true);
    } catch (error) {
      if (!(error instanceof StoreFull)) throw error;
      await this.#thread.perform({ task: 'release' });
      await write(true);
    }
  }

  #hasRoom(): Promise<boolean> {
    return this.#thread.perform({ task: 'reserve' }).then(
      () => true,
      () => false,
    );
  }

  #setFull(): void {
    this.#isFull = true;
    if (this.#isStopped) return;
    this.#options.spaceChanged?.(true);
    this.#stopLooking = this.#options.clock.every(lookEveryMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    if ((await this.#hasRoom()) && !this.#isStopped) {
      this.#stopLooking();
      this.#isFull = false;
      this.#options.spaceChanged?.(false);
    }
    this.#isLooking = false;
  }
}
