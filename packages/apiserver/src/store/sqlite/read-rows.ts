import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { emptyRows, type LogRows } from './log-rows.ts';
import { revisionOf, storeOf } from './row-id.ts';
import { WrongChecksum } from './sqlite-errors.ts';

/** An object in memory keeps the buffer of its chunk alive, so chunks are small. */
const pieceBytes = 256 * 1024;

type LogRow = [number, number, number, number, number, number, string, string, string, Uint8Array];

/** All rows of all stores in order, in chunks. Verifies each checksum. */
export function* readRows(database: DatabaseSync): Generator<LogRows, void, undefined> {
  const select = database.prepare('SELECT * FROM log ORDER BY id');
  select.setReturnArrays(true);
  let rows = emptyRows();
  let contents: Uint8Array[] = [];
  let size = 0;
  for (const row of select.iterate() as unknown as Iterable<LogRow>) {
    const bytes = row[9];
    size += bytes.length;
    contents.push(bytes);
    pushRow(rows, row, size);
    if (size < pieceBytes) continue;
    yield withBytes(rows, contents, size);
    [rows, contents, size] = [emptyRows(), [], 0];
  }
  if (contents.length > 0) yield withBytes(rows, contents, size);
}

/** SQLite detects broken pages; this detects a flipped bit inside an object. */
export function checksum(header: string, bytes: Uint8Array): number {
  return crc32(bytes, crc32(header));
}

function pushRow(rows: LogRows, row: LogRow, end: number): void {
  const [id, created, previous, deleted, time, sum, collection, name, header, bytes] = row;
  if (checksum(header, bytes) !== sum) throw new WrongChecksum(`the checksum of ${collection}/${name} is wrong`);
  rows.stores.push(storeOf(id));
  rows.revisions.push(revisionOf(id));
  rows.createRevisions.push(created);
  rows.previousRevisions.push(previous);
  rows.deleted.push(deleted === 1);
  rows.times.push(time);
  rows.collections.push(collection);
  rows.names.push(name);
  rows.headers.push(header);
  rows.ends.push(end);
}

function withBytes(rows: LogRows, contents: readonly Uint8Array[], size: number): LogRows {
  const bytes = Buffer.allocUnsafeSlow(size);
  let start = 0;
  for (const content of contents) {
    bytes.set(content, start);
    start += content.length;
  }
  rows.bytes = bytes;
  return rows;
}
