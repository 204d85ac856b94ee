/** Short helpers for the tests of the stores. */
import type { Committed, Cursor, Entry, Key, Put, Delete, Store, StoreEvent } from './store.ts';

export const collection = 'core/configmaps';

export function keyOf(name: string, of = collection): Key {
  return { collection: of, name };
}

export function put(name: string, expected: number, value = '', of = collection): Put {
  const header = { uid: `uid-${name}`, labels: { value } };
  return {
    verb: 'put',
    key: keyOf(name, of),
    expected,
    header,
    encode: (revision) => Buffer.from(`${name}=${value}@${revision}`),
  };
}

export function remove(name: string, expected: number, of = collection): Delete {
  return {
    verb: 'delete',
    key: keyOf(name, of),
    expected,
    encode: (revision) => Buffer.from(`${name} gone@${revision}`),
  };
}

export async function writeOne(store: Store, write: Put | Delete): Promise<Committed> {
  const [committed] = await store.write([write]);
  return committed!;
}

export function text(entry: Entry | undefined): string | undefined {
  return entry === undefined ? undefined : Buffer.from(entry.bytes).toString();
}

export function texts(entries: Iterable<Entry>): (string | undefined)[] {
  return Array.from(entries, text);
}

export function watch(store: Store, after: number, prefix = '', of = collection): Cursor {
  const cursor = store.watch({ collection: of, prefix }, after);
  if (cursor === 'compacted') throw new Error(`history does not reach back to ${after}`);
  return cursor;
}

/** All events that a cursor has now. */
export function drain(cursor: Cursor): StoreEvent[] {
  const events: StoreEvent[] = [];
  for (;;) {
    const event = cursor.next();
    if (event === undefined) return events;
    if (event === 'compacted') throw new Error('the cursor fell out of history');
    events.push(event);
  }
}

export function inWords(events: readonly StoreEvent[]): string[] {
  return events.map(({ type, entry, previous }) => `${type} ${text(entry)} was ${text(previous) ?? 'nothing'}`);
}

/** Short enough that crash tests compact all the time, long enough for a watch to resume. */
export const crashRetention = { maxAgeMs: 60_000, maxBytes: 512 * 1024 };
