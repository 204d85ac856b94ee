/** The engine refuses an unusable database with a clear error, and changes neither it nor its write-ahead file. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { databaseFile } from '../disk/data-directory.ts';
import { offlineBackup } from '../../backup/offline-backup.ts';
import { defaultRetention } from '../log/retention.ts';
import { openSqliteEngine } from './sqlite-engine.ts';
import type { StorageEngine } from '../store.ts';
import { collection, put } from '../store.testing.ts';

const scratch = mkdtempSync(join(tmpdir(), 'flotilla-damage-'));
after(() => rmSync(scratch, { recursive: true }));
let directories = 0;

function freshDirectory(): string {
  const directory = join(scratch, `data-${++directories}`);
  mkdirSync(directory);
  return directory;
}

async function open(directory: string): Promise<StorageEngine> {
  return openSqliteEngine({ directory, clock: new ManualClock(), retention: defaultRetention });
}

async function fill(engine: StorageEngine, batches: readonly number[]): Promise<void> {
  for (const batch of batches) {
    const big = Array.from({ length: 20 }, (_, index) => 'x'.repeat(2000) + index);
    await engine.store('hub').write(big.map((value, index) => put(`a/${batch}-${index}`, 0, value)));
  }
}

const objectCount = 240;

async function closedCleanly(): Promise<string> {
  const directory = freshDirectory();
  const engine = await open(directory);
  await fill(engine, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  await engine.close();
  return directory;
}

/** Most objects are in the database, the newest only in the write-ahead file. */
async function leftByCrash(): Promise<string> {
  const source = freshDirectory();
  const first = await open(source);
  await fill(first, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await first.close();
  const second = await open(source);
  await fill(second, [10, 11]);
  const directory = freshDirectory();
  for (const suffix of ['', '-wal']) copyFileSync(databaseFile(source) + suffix, databaseFile(directory) + suffix);
  await second.close();
  return directory;
}

function change(directory: string, edit: (content: Buffer) => unknown): void {
  const content = readFileSync(databaseFile(directory));
  edit(content);
  writeFileSync(databaseFile(directory), content);
}

const damages: Record<string, { readonly damage: (directory: string) => void; readonly message: RegExp }> = {
  'that is no database': {
    damage: (directory) => writeFileSync(databaseFile(directory), 'not a database '.repeat(100)),
    message: /flotilla\.db is damaged or not a database; nothing was changed$/,
  },
  'of another program': {
    damage: (directory) => change(directory, (content) => content.writeUInt32BE(0, 68)),
    message: /flotilla\.db is the database of another program; nothing was changed$/,
  },
  'of a newer release': {
    damage: (directory) => change(directory, (content) => content.writeUInt32BE(3, 60)),
    message: /was written by a newer Flotilla \(format 3, this one knows 2\); nothing was changed$/,
  },
  'that was cut': {
    damage: (directory) => truncateSync(databaseFile(directory), 16384 * 10),
    message: /flotilla\.db is damaged \(.*malformed.*\); nothing was changed$/,
  },
  'with an overwritten page': {
    damage: (directory) => change(directory, (content) => content.fill(0xa5, 16384 * 8, 16384 * 9)),
    message: /flotilla\.db is damaged \(.*\); nothing was changed$/,
  },
  'with one flipped bit inside an object': {
    damage: (directory) =>
      change(directory, (content) => (content[content.indexOf(`a/5-7=${'x'.repeat(50)}`) + 20]! ^= 1)),
    message: /\(the checksum of core\/configmaps\/a\/5-7 is wrong\); nothing was changed$/,
  },
};

async function assertRefused(directory: string, message: RegExp): Promise<void> {
  const before = contentOf(directory);
  for (let attempt = 0; attempt < 2; attempt++) {
    const opened = open(directory).then((engine) => engine.close());
    await assert.rejects(opened, { name: 'UnusableDatabase', message });
    assert.ok(contentOf(directory).equals(before), 'a file was changed');
  }
}

function contentOf(directory: string): Buffer {
  const files = ['', '-wal'].map((suffix) => databaseFile(directory) + suffix);
  return Buffer.concat(files.map((file) => (existsSync(file) ? readFileSync(file) : Buffer.from('absent'))));
}

for (const [state, make] of Object.entries({ 'was closed cleanly': closedCleanly, 'a crash left': leftByCrash })) {
  describe(`a database that ${state}`, () => {
    for (const [kind, { damage, message }] of Object.entries(damages)) {
      test(`is refused and unchanged: one ${kind}`, async () => {
        const directory = await make();
        damage(directory);
        await assertRefused(directory, message);
      });
    }

    test('is opened with all its objects if undamaged', async () => {
      const directory = await make();
      const engine = await open(directory);
      assert.equal(engine.store('hub').count(collection), objectCount);
      await engine.close();
      assert.equal(existsSync(`${databaseFile(directory)}-shm`), false);
    });
  });
}

test('an impossible page size is damage, unless the write-ahead file has the first page too', async () => {
  const wrongSize = (content: Buffer): unknown => content.writeUInt16BE(7, 16);
  const closed = await closedCleanly();
  change(closed, wrongSize);
  await assertRefused(closed, /flotilla\.db is damaged \(.*not a database.*\); nothing was changed$/);
  const left = await leftByCrash();
  change(left, wrongSize);
  const engine = await open(left);
  assert.equal(engine.store('hub').count(collection), objectCount);
  await engine.close();
});

for (const [what, lose] of Object.entries({
  emptied: (file: string) => truncateSync(file, 0),
  removed: (file: string) => rmSync(file),
})) {
  test(`a database that was ${what} does not lose the content of its write-ahead file`, async () => {
    const directory = await leftByCrash();
    lose(databaseFile(directory));
    await assertRefused(directory, /is gone or empty, but its write-ahead file is not; nothing was changed$/);
  });
}

test('a newer format is detected if only the write-ahead file has it', async () => {
  const source = await closedCleanly();
  const directory = freshDirectory();
  const newer = new DatabaseSync(databaseFile(source));
  newer.exec('PRAGMA user_version = 3');
  for (const suffix of ['', '-wal']) copyFileSync(databaseFile(source) + suffix, databaseFile(directory) + suffix);
  newer.close();
  await assertRefused(directory, /was written by a newer Flotilla \(format 3, this one knows 2\)/);
});

test('a row of a store that does not exist is damage', async () => {
  const source = await closedCleanly();
  const directory = freshDirectory();
  const database = new DatabaseSync(databaseFile(source));
  database.exec('DELETE FROM stores');
  for (const suffix of ['', '-wal']) copyFileSync(databaseFile(source) + suffix, databaseFile(directory) + suffix);
  database.close();
  await assertRefused(directory, /is damaged \(.*store 0.*does not exist\)/);
  await assertRefused(source, /is damaged \(.*store 0.*does not exist\)/);
});

test('a backup of a database that a crash damaged does not change it', async () => {
  const directory = await leftByCrash();
  damages['with one flipped bit inside an object']!.damage(directory);
  const before = contentOf(directory);
  await assert.rejects(offlineBackup(directory, join(directory, 'copy.db')), { name: 'UnusableDatabase' });
  assert.ok(contentOf(directory).equals(before), 'a file was changed');
});
