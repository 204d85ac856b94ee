import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { databaseFile } from '../store/disk/data-directory.ts';
import { offlineBackup } from './offline-backup.ts';
import { restoreBackup } from './restore.ts';
import { defaultRetention } from '../store/log/retention.ts';
import { openSqliteEngine } from '../store/engine/sqlite-engine.ts';
import type { StorageEngine } from '../store/store.ts';
import { collection, put, writeOne } from '../store/store.testing.ts';

const scratch = mkdtempSync(join(tmpdir(), 'flotilla-offline-backup-'));
after(() => rmSync(scratch, { recursive: true }));
const clock = new ManualClock();

async function open(directory: string): Promise<StorageEngine> {
  return openSqliteEngine({ directory, clock, retention: defaultRetention });
}

test('a directory without a server is copied as a whole, including its write-ahead file', async () => {
  const directory = join(scratch, 'stopped');
  const engine = await open(directory);
  for (let number = 0; number < 50; number++)
    await writeOne(engine.store('hub'), put(`a/${number}`, 0, 'x'.repeat(9000)));
  await engine.close();
  const shares: number[] = [];
  await offlineBackup(directory, join(scratch, 'copy.db'), (share) => shares.push(share));
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  );

  await restoreBackup(join(scratch, 'copy.db'), join(scratch, 'restored'), clock.now());
  const restored = await open(join(scratch, 'restored'));
  assert.equal(restored.store('hub').count(collection), 50);
  await restored.close();
});

test('a directory in use is refused', async () => {
  const directory = join(scratch, 'used');
  const engine = await open(directory);
  await assert.rejects(offlineBackup(directory, join(scratch, 'used.db')), { name: 'DirectoryInUse' });
  await writeOne(engine.store('hub'), put('a/still-writable', 0));
  await engine.close();
});

test('a directory without a database, or with an unknown one, is refused', async () => {
  await assert.rejects(offlineBackup(join(scratch, 'none'), join(scratch, 'none.db')), { name: 'NothingToBackUp' });
  const directory = join(scratch, 'stopped');
  writeFileSync(databaseFile(directory), 'something else entirely, longer than nothing');
  await assert.rejects(offlineBackup(directory, join(scratch, 'bad.db')), { name: 'UnusableDatabase' });
});
