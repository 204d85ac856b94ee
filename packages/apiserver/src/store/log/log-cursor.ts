import type { LogEvent } from './log-event.ts';
import type { Cursor } from '../store.ts';
import type { TrimmedList } from './trimmed-list.ts';

/** The log that a cursor stands in: one collection's. */
interface CursorLog {
  readonly events: TrimmedList<LogEvent>;
  park(cursor: LogCursor): void;
  unpark(cursor: LogCursor): void;
}

/**
 * A watch's position. A cursor that has read everything is parked: it is not looked at again until an event in its scope
 * arrives, and then stands right at that event, however much passed by that was not its own.
 */
export class LogCursor implements Cursor {
  readonly prefix: string;
  readonly #log: CursorLog;
  readonly #visibleRevision: () => number;
  /** Events up to here are not wanted, or were delivered, or were out of scope. */
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
    // A parked cursor would have been woken by anything in its scope.
    if (this.#state === 'parked') this.#advance(this.#visibleRevision());
    return this.#revision;
  }

  next(): LogEvent | undefined | 'compacted' {
    if (this.#state !== 'reading') return undefined;
    const { events } = this.#log;
    if (this.#position < events.first) return 'compacted';
    while (this.#position < events.end) {
      const event = events.at(this.#position++)!;
      // A cursor may start after a revision that has yet to come.
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
    // Not now: the rest of the batch must become visible first, and a reader's error must not reach the writer.
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
