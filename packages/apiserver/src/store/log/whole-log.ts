import type { LogCursor } from './log-cursor.ts';
import type { LogEvent } from './log-event.ts';
import { TrimmedList } from './trimmed-list.ts';

/** The events of a store, and the cursors that read all of them. */
export class WholeLog {
  readonly events = new TrimmedList<LogEvent>();
  readonly #cursors = new Set<LogCursor>();

  /** Adds an event and wakes the cursors that wait for it. They read later, when the whole batch is visible. */
  append(event: LogEvent): void {
    const index = this.events.end;
    this.events.push(event);
    for (const cursor of this.#cursors) cursor.wake(index);
  }

  add(cursor: LogCursor): void {
    this.#cursors.add(cursor);
  }

  remove(cursor: LogCursor): void {
    this.#cursors.delete(cursor);
  }
}
