import type { LogCursor } from './log-cursor.ts';
import type { LogEvent } from './log-event.ts';
import { TrimmedList } from './trimmed-list.ts';

/** The events of a store, and the cursors that wait at its end for any of them. */
export class WholeLog {
  readonly events = new TrimmedList<LogEvent>();
  readonly #parked = new Set<LogCursor>();

  /** Adds an event and wakes the cursors. They read later, when the whole batch is visible. */
  append(event: LogEvent): void {
    const index = this.events.end;
    this.events.push(event);
    if (this.#parked.size === 0) return;
    for (const cursor of this.#parked) cursor.wake(index);
    this.#parked.clear();
  }

  park(cursor: LogCursor): void {
    this.#parked.add(cursor);
  }

  unpark(cursor: LogCursor): void {
    this.#parked.delete(cursor);
  }
}
