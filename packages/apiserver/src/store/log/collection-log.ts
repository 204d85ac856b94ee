import type { LogCursor } from './log-cursor.ts';
import type { LogEvent } from './log-event.ts';
import { TrimmedList } from './trimmed-list.ts';

/**
 * The events of one collection, shared by all its watches, and the cursors that wait at its end. Waiting cursors are indexed
 * by namespace, so an event costs nothing for the watches of other namespaces.
 */
export class CollectionLog {
  readonly events = new TrimmedList<LogEvent>();
  readonly #parked = new Map<string, Set<LogCursor>>();

  /** Adds an event and wakes the cursors that wait for it. They read later, when the whole batch is visible. */
  append(event: LogEvent): void {
    const index = this.events.end;
    this.events.push(event);
    const { name } = event.entry.key;
    const namespace = namespacePart(name);
    this.#wake('', name, index);
    if (namespace !== '') this.#wake(namespace, name, index);
  }

  park(cursor: LogCursor): void {
    const part = namespacePart(cursor.prefix);
    const cursors = this.#parked.get(part);
    if (cursors === undefined) this.#parked.set(part, new Set([cursor]));
    else cursors.add(cursor);
  }

  unpark(cursor: LogCursor): void {
    const part = namespacePart(cursor.prefix);
    const cursors = this.#parked.get(part);
    if (cursors?.delete(cursor) && cursors.size === 0) this.#parked.delete(part);
  }

  #wake(part: string, name: string, index: number): void {
    const cursors = this.#parked.get(part);
    if (cursors === undefined) return;
    for (const cursor of cursors) {
      if (!name.startsWith(cursor.prefix)) continue;
      cursors.delete(cursor);
      cursor.wake(index);
    }
    if (cursors.size === 0) this.#parked.delete(part);
  }
}

/** "namespace/" of "namespace/name"; empty for a name without a namespace. */
function namespacePart(name: string): string {
  return name.slice(0, name.indexOf('/') + 1);
}
