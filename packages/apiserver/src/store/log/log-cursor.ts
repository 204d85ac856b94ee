import type { LogEvent } from './log-event.ts';
import type { Cursor } from '../store.ts';
import type { TrimmedList } from './trimmed-list.ts';

/** The log of one collection. */
interface CursorLog {
  readonly events: TrimmedList<LogEvent>;
  park(cursor: LogCursor): void;
  unpark(cursor: LogCursor): void;
}

/**
 * A watch's position in the log. A cursor that has read everything is parked. The next event in its scope wakes it and sets
 * its position to that event, so events out of scope cost nothing.
 */
export class LogCursor implements Cursor {
  readonly prefix: string;
  readonly #log: CursorLog;
  readonly #visibleRevision: () => number;
  /** Events up to here precede the watch, were delivered, or were out of scope. */
  #revision: number;
  #position: number;
  #state: 'reading' | 'parked' | 'closed' = 'reading';
  #listener: (() => void) | undefined;

  constructor(log: CursorLog, prefix: string, afterRevision: number, visibleRevision: () => number) {
    this.#log = log;
    this.prefix = prefix;
    this.#revision = afterRevision;
    this.#visibleRevision = visibleRevision;
    this.#position = log.events.findFirst((event) => event.revision > afterRevision);
  }

  get revision(): number {
    // No event in scope is unread: it would have woken this cursor.
    if (this.#state === 'parked') this.#advance(this.#visibleRevision());
    return this.#revision;
  }

  next(): LogEvent | undefined | 'compacted' {
    if (this.#state !== 'reading') return undefined;
    const { events } = this.#log;
    if (this.#position < events.first) return 'compacted';
    while (this.#position < events.end) {
      const event = events.at(this.#position++)!;
      // A cursor may start after a revision of the future.
      if (event.revision <= this.#revision) continue;
      this.#revision = event.revision;
      if (event.entry.key.name.startsWith(this.prefix)) return event;
    }
    this.#park();
    return undefined;
  }

  onReady(listener: () => void): void {
    if (this.#state === 'parked') this.#listener = listener;
    else if (this.#state === 'reading') queueMicrotask(listener);
  }

  /** Called by the log when the event at `index` is in this cursor's scope. */
  wake(index: number): void {
    this.#state = 'reading';
    this.#position = index;
    const listener = this.#listener;
    this.#listener = undefined;
    // Deferred: the rest of the batch must become visible first, and a reader's error must not reach the writer.
    if (listener !== undefined) queueMicrotask(() => this.#state !== 'closed' && listener());
  }

  close(): void {
    if (this.#state === 'parked') this.#log.unpark(this);
    this.#state = 'closed';
    this.#listener = undefined;
  }

  #park(): void {
    this.#advance(this.#visibleRevision());
    this.#state = 'parked';
    this.#log.park(this);
  }

  #advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
  }
}
