/**
 * Rows of the durable log as messages between threads. Columns instead of row objects, and the bytes of all rows in one
 * buffer that is transferred, not copied: a batch costs the main thread about 1 µs a row.
 */
import type { LogEvent } from '../log/log-event.ts';

export interface LogRows {
  readonly stores: number[];
  readonly revisions: number[];
  readonly createRevisions: number[];
  /** Revision of the row that this one supersedes; 0 for a create. */
  readonly previousRevisions: number[];
  readonly deleted: boolean[];
  /** When the write was accepted, in milliseconds since the epoch. */
  readonly times: number[];
  readonly collections: string[];
  readonly names: string[];
  /** JSON of the entry's header. */
  readonly headers: string[];
  /** The end of each row's bytes in `bytes`; they start at the end of the row before. */
  readonly ends: number[];
  bytes: Uint8Array<ArrayBuffer>;
}

export function emptyRows(): LogRows {
  return {
    stores: [],
    revisions: [],
    createRevisions: [],
    previousRevisions: [],
    deleted: [],
    times: [],
    collections: [],
    names: [],
    headers: [],
    ends: [],
    bytes: new Uint8Array(0),
  };
}

export interface StoredEvent {
  readonly store: number;
  readonly event: LogEvent;
}

export function rowsOf(written: readonly StoredEvent[], now: number): LogRows {
  const rows = emptyRows();
  let end = 0;
  for (const { store, event } of written) {
    const { key, header, createRevision, revision, bytes } = event.entry;
    rows.stores.push(store);
    rows.revisions.push(revision);
    rows.createRevisions.push(createRevision);
    rows.previousRevisions.push(event.previous?.revision ?? 0);
    rows.deleted.push(event.type === 'delete');
    rows.times.push(now);
    rows.collections.push(key.collection);
    rows.names.push(key.name);
    rows.headers.push(JSON.stringify(header));
    rows.ends.push((end += bytes.length));
  }
  rows.bytes = joined(written, rows.ends);
  return rows;
}

/** The bytes of row `index`, as a view. */
export function bytesOfRow(rows: LogRows, index: number): Uint8Array<ArrayBuffer> {
  return rows.bytes.subarray(index === 0 ? 0 : rows.ends[index - 1], rows.ends[index]);
}

function joined(written: readonly StoredEvent[], ends: readonly number[]): Uint8Array<ArrayBuffer> {
  // "Slow": not a slice of Node's pool, which cannot be transferred to another thread.
  const all = Buffer.allocUnsafeSlow(ends.at(-1) ?? 0);
  let start = 0;
  for (const [index, { event }] of written.entries()) {
    all.set(event.entry.bytes, start);
    start = ends[index]!;
  }
  return all;
}
