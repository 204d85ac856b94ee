import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { restoreBackup } from './restore.ts';
import { defaultRetention } from '../store/log/retention.ts';
import { openSqliteEngine } from '../store/engine/sqlite-engine.ts';
import type { StorageEngine } from '../store/store.ts';
import { collection, put, texts, writeOne } from '../store/store.testing.ts';

const scratch = mkdtempSync(join(tmpdir(), 'flotilla-restore-'));
after(() => rmSync(scratch, { recursive: true }));
const clock = new ManualClock();
const backup = join(scratch, 'backup.db');

async function open(name: string): Promise<StorageEngine> {
  return openSqliteEngine({ directory: join(scratch, name), clock, retention: defaultRetention });
}

async function writeAll(engine: StorageEngine, from: number, to: number): Promise<void> {
  const writes = Array.from({ length: to - from }, (_, index) => put(`a/${from + index}`, 0, 'x'.repeat(2000)));
  await Promise.all(writes.map(async (write) => writeOne(engine.store('hub'), write)));
}

test('a backup under load has every write that was durable when it began', async () => {
  const engine = await open('original');
  await writeAll(engine, 0, 500);
  const copied = engine.backup(backup);
  await assert.rejects(engine.backup(join(scratch, 'other.db')), /another backup is being made/);
  await writeAll(engine, 500, 1000);
  await copied;
  await writeAll(engine, 1000, 1100);
  await assert.rejects(engine.backup(backup), /exists; a backup does not overwrite/);
  await engine.close();
  assert.equal(statSync(backup).mode & 0o777, 0o600);
  assert.ok(!existsSync(`${backup}.partial`));
});

test('a close aborts a backup and removes its file', async () => {
  const engine = await open('closing');
  for (let index = 0; index < 20; index++) await writeOne(engine.store('hub'), put(`a/${index}`, 0, 'x'.repeat(1e6)));
  const copy = join(scratch, 'unfinished.db');
  const broken = assert.rejects(engine.backup(copy), { name: 'StoreUnavailable', message: 'the store is closed' });
  await engine.close();
  await broken;
  assert.deepEqual([existsSync(copy), existsSync(`${copy}.partial`)], [false, false]);
  const again = await open('closing');
  assert.equal(again.store('hub').count(collection), 20);
  await again.close();
});

test('a restored store has the objects of the backup and continues above any revision assigned since', async () => {
  await clock.advance(60_000);
  await restoreBackup(backup, join(scratch, 'restored'), clock.now());
  const engine = await open('restored');
  const store = engine.store('hub');
  const count = store.count(collection);
  assert.ok(count >= 500 && count <= 1000, `${count} objects`);
  assert.equal(store.revision, count + 1_000_000 + 60 * 10_000);
  assert.equal(store.compactedRevision, store.revision);
  // 1100 was the last revision of the lost server.
  assert.equal(store.watch({ collection, prefix: '' }, 1100), 'compacted');
  const { revision } = await writeOne(store, put('b/new', 0));
  assert.equal(revision, count + 1_600_001);
  await engine.close();
  const again = await open('restored');
  assert.equal(again.store('hub').revision, revision);
  assert.deepEqual(texts(again.store('hub').snapshot().range(collection, 'b/')), [`b/new=@${revision}`]);
  await again.close();
});

test('a restore refuses a directory in use, and one with anything in it', async () => {
  const directory = join(scratch, 'original');
  const engine = await open('original');
  await assert.rejects(restoreBackup(backup, directory, clock.now()), {
    name: 'DirectoryInUse',
    message: `the data directory ${directory} is in use by process ${process.pid}`,
  });
  await writeOne(engine.store('hub'), put('b/still-writable', 0));
  await engine.close();
  await assert.rejects(restoreBackup(backup, directory, clock.now()), /is not empty; restore into an empty one/);
});

test('a restore refuses a damaged or missing backup, and the directory stays empty', async () => {
  const bad = join(scratch, 'bad.db');
  const content = readFileSync(backup);
  content.fill(0x55, content.length / 2, content.length / 2 + 40_000);
  writeFileSync(bad, content);
  const target = join(scratch, 'target');
  await assert.rejects(restoreBackup(bad, target, clock.now()), {
    name: 'UnusableDatabase',
    message: /bad\.db is damaged/,
  });
  assert.ok(!existsSync(join(target, 'flotilla.db')));
  await assert.rejects(restoreBackup(join(scratch, 'none.db'), target, clock.now()), /does not exist or is empty/);
  await restoreBackup(backup, target, clock.now());
  assert.ok(existsSync(join(target, 'flotilla.db')));
});
