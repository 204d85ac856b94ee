import type { LogCursor } from './log-cursor.ts';
import type { LogEvent } from './log-event.ts';
import { TrimmedList } from './trimmed-list.ts';

/**
 * The events of one collection, shared by all its watches, and the cursors of these. Cursors are indexed by namespace, so an
 * event costs nothing for the watches of other namespaces.
 */
export class CollectionLog {
  readonly events = new TrimmedList<LogEvent>();
  readonly #cursors = new Map<string, Set<LogCursor>>();

  /** Adds an event and wakes the cursors that wait for it. They read later, when the whole batch is visible. */
  append(event: LogEvent): void {
    const index = this.events.end;
    this.events.push(event);
    if (this.#cursors.size === 0) return;
    const { name } = event.entry.key;
    const namespace = namespacePart(name);
    this.#wake('', name, index);
    if (namespace !== '') this.#wake(namespace, name, index);
  }

  add(cursor: LogCursor): void {
    const part = namespacePart(cursor.prefix);
    const cursors = this.#cursors.get(part);
    if (cursors === undefined) this.#cursors.set(part, new Set([cursor]));
    else cursors.add(cursor);
  }

  remove(cursor: LogCursor): void {
    const part = namespacePart(cursor.prefix);
    const cursors = this.#cursors.get(part);
    if (cursors?.delete(cursor) && cursors.size === 0) this.#cursors.delete(part);
  }

  #wake(part: string, name: string, index: number): void {
    const cursors = this.#cursors.get(part);
    if (cursors === undefined) return;
    for (const cursor of cursors) if (name.startsWith(cursor.prefix)) cursor.wake(index);
  }
}

/** "namespace/" of "namespace/name"; empty for a name without a namespace. */
function namespacePart(name: string): string {
  return name.slice(0, name.indexOf('/') + 1);
}
