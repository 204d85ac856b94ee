import type { LogEvent } from './log-event.ts';
import type { Cursor } from '../store.ts';
import type { TrimmedList } from './trimmed-list.ts';

/** The log of one collection. */
interface CursorLog {
  readonly events: TrimmedList<LogEvent>;
  add(cursor: LogCursor): void;
  remove(cursor: LogCursor): void;
}

/**
 * A watch's position in the log. A cursor that has read everything is parked. The next event in its scope wakes it and sets
 * its position to that event, so events out of scope cost nothing. The log knows the cursor until it is closed: a set that
 * loses and gets an element with every event allocates a table each time.
 */
export class LogCursor implements Cursor {
  readonly prefix: string;
  readonly #log: CursorLog;
  readonly #visibleRevision: () => number;
  /** Events up to here precede the watch, were delivered, or were out of scope. */
  #revision: number;
  #position: number;
  #state: 'reading' | 'parked' | 'closed' = 'reading';
  /** The last listener, as a microtask too. Most readers always pass the same one. */
  #listener: (() => void) | undefined;
  #notify: (() => void) | undefined;
  /** Whether the next wake calls the listener. */
  #isAwaited = false;

  constructor(log: CursorLog, prefix: string, afterRevision: number, visibleRevision: () => number) {
    this.#log = log;
    this.prefix = prefix;
    this.#revision = afterRevision;
    this.#visibleRevision = visibleRevision;
    this.#position = log.events.findFirst((event) => event.revision > afterRevision);
    log.add(this);
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
    if (this.#state === 'reading') queueMicrotask(listener);
    if (this.#state !== 'parked') return;
    this.#isAwaited = true;
    if (listener === this.#listener) return;
    this.#listener = listener;
    this.#notify = () => this.#state !== 'closed' && listener();
  }

  /** Called by the log when the event at `index` is in this cursor's scope. */
  wake(index: number): void {
    if (this.#state === 'parked') {
      this.#state = 'reading';
      this.#position = index;
      // Deferred: the rest of the batch must become visible first, and a reader's error must not reach the writer.
      if (this.#isAwaited) queueMicrotask(this.#notify!);
      this.#isAwaited = false;
    } else if (this.#position < this.#log.events.first) {
      // It can only learn that it is compacted, and its owner may be gone without closing it.
      this.#log.remove(this);
    }
  }

  close(): void {
    this.#log.remove(this);
    this.#state = 'closed';
    this.#isAwaited = false;
    this.#listener = undefined;
    this.#notify = undefined;
  }

  #park(): void {
    this.#advance(this.#visibleRevision());
    this.#state = 'parked';
  }

  #advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
  }
}
