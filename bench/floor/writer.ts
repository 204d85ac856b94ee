/** The storage worker of the floor: one table, one transaction and one sync for each batch. */
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

const database = new DatabaseSync(`${String(workerData)}/floor.db`);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA page_size = 16384');
database.exec('CREATE TABLE log (id INTEGER PRIMARY KEY, path TEXT NOT NULL, bytes BLOB NOT NULL)');
const insert = database.prepare('INSERT INTO log (path, bytes) VALUES (?, ?)');

parentPort?.on('message', (batch: readonly { readonly path: string; readonly bytes: Uint8Array }[]) => {
  database.exec('BEGIN IMMEDIATE');
  for (const { path, bytes } of batch) insert.run(path, bytes);
  database.exec('COMMIT');
  parentPort?.postMessage('synced', []);
});
