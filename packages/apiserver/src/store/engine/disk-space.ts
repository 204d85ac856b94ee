import type { Clock } from '@flotilla/timing';
import type { LogEvent } from '../log/log-event.ts';
import type { StoredEvent } from '../sqlite/log-rows.ts';
import type { SqliteThread } from '../sqlite/sqlite-thread.ts';
import { StoreFull } from '../store.ts';

interface DiskSpaceOptions {
  readonly clock: Clock;
  readonly spaceChanged?: ((isFull: boolean) => void) | undefined;
}

const checkIntervalMs = 1000;

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

/** Whether a write needs no more room than what it replaces, or belongs to a deletion. */
export function isFreeing({ type, entry, previous }: Pick<LogEvent, 'type' | 'entry' | 'previous'>): boolean {
  if (type === 'delete') return true;
  if (previous === undefined) return false;
  return entry.header.deletionTimestamp !== undefined || entry.bytes.length <= previous.bytes.length;
}

/**
 * Decides which writes are accepted while the disk is full: deletes, writes of objects that are being deleted, and writes
 * that make no object larger. These use the reserve and drop the history of their stores on disk. All others are refused
 * until the reserve is complete again.
 */
export class DiskSpace {
  readonly #thread: Pick<SqliteThread, 'perform'>;
  readonly #options: DiskSpaceOptions;
  #isFull = false;
  #isChecking = false;
  #isStopped = false;
  #stopChecks: () => void = () => undefined;

  constructor(thread: Pick<SqliteThread, 'perform'>, options: DiskSpaceOptions) {
    this.#thread = thread;
    this.#options = options;
  }

  refusal(events: readonly LogEvent[]): StoreFull | undefined {
    if (!this.#isFull || events.every(isFreeing)) return undefined;
    return new StoreFull('the write was not stored: the disk is full; only deletes and what makes nothing larger are');
  }

  /** Calls `write` again if the first attempt found the disk full. */
  async append(events: readonly StoredEvent[], write: WriteBatch): Promise<void> {
    if (this.#isFull) return this.#appendCompact(write);
    try {
      await write(false);
    } catch (error) {
      if (!(error instanceof StoreFull)) throw error;
      await this.#appendToFull(events, write, error);
    }
  }

  /** The disk had no room when the file was opened. */
  startFull(): void {
    if (!this.#isFull) this.#setFull();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopChecks();
  }

  async #appendToFull(events: readonly StoredEvent[], write: WriteBatch, error: StoreFull): Promise<void> {
    await this.#thread.perform({ task: 'release' });
    // A truncated write-ahead file, or free pages in the database, may be enough.
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
    this.#stopChecks = this.#options.clock.every(checkIntervalMs, () => void this.#checkSpace());
  }

  async #checkSpace(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    if ((await this.#hasRoom()) && !this.#isStopped) {
      this.#stopChecks();
      this.#isFull = false;
      this.#options.spaceChanged?.(false);
    }
    this.#isChecking = false;
  }
}
