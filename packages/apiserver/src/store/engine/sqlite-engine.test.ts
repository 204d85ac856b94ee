import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { defaultRetention } from '../log/retention.ts';
import { openSqliteEngine } from './sqlite-engine.ts';
import { SqliteLog } from '../sqlite/sqlite-log.ts';
import { storeConformance } from '../store-conformance.testing.ts';
import { storeProperties } from '../store-properties.testing.ts';
import type { StorageEngine, Store } from '../store.ts';
import { collection, drain, inWords, keyOf, put, remove, text, texts, watch, writeOne } from '../store.testing.ts';

const scratch = mkdtempSync(join(tmpdir(), 'flotilla-store-'));
after(() => rmSync(scratch, { recursive: true }));
let directories = 0;

function freshDirectory(): string {
  return join(scratch, `data-${++directories}`);
}

async function open(directory: string, clock = new ManualClock()): Promise<StorageEngine> {
  return openSqliteEngine({ directory, clock, retention: defaultRetention });
}

async function withStore<T>(
  directory: string,
  use: (store: Store, engine: StorageEngine) => Promise<T> | T,
): Promise<T> {
  const engine = await open(directory);
  try {
    return await use(engine.store('hub'), engine);
  } finally {
    await engine.close();
  }
}

function storedRevisions(directory: string): number[] {
  const log = SqliteLog.open(join(directory, 'flotilla.db'));
  const revisions = Array.from(log.read(), (rows) => rows.revisions).flat();
  log.close();
  return revisions;
}

function sweepAll(directory: string, store: number, compacted: number): void {
  const log = SqliteLog.open(join(directory, 'flotilla.db'));
  assert.equal(log.sweep(store, compacted, 1000), 'done');
  log.close();
}

storeConformance('SQLite', async (clock) => open(freshDirectory(), clock));
storeProperties('SQLite', async (clock) => open(freshDirectory(), clock));

test('a store has the same content after a restart', async () => {
  const directory = freshDirectory();
  await withStore(directory, async (store, engine) => {
    await store.write([put('a/x', 0, 'one'), put('a/y', 0), put('\u{1f600}/z', 0, 'ü')]);
    await store.write([put('a/x', 1, 'two'), remove('a/y', 2)]);
    await writeOne(engine.store('member'), put('a/x', 0, 'member'));
  });
  await withStore(directory, (store, engine) => {
    assert.equal(store.revision, 5);
    assert.deepEqual(texts(store.snapshot().range(collection, '')), ['a/x=two@4', '\u{1f600}/z=ü@3']);
    const { header, createRevision, revision } = store.get(keyOf('a/x'))!;
    assert.deepEqual(
      { header, createRevision, revision },
      {
        header: { uid: 'uid-a/x', labels: { value: 'two' } },
        createRevision: 1,
        revision: 4,
      },
    );
    assert.deepEqual(
      [engine.store('member').revision, text(engine.store('member').get(keyOf('a/x')))],
      [1, 'a/x=member@1'],
    );
    assert.equal(engine.store('other').revision, 0);
  });
});

test('an engine opens with its first store while others are loaded', async () => {
  const directory = freshDirectory();
  // Rows come in chunks of 256 KiB.
  const large = 'x'.repeat(300_000);
  await withStore(directory, async (store, engine) => {
    await writeOne(store, put('a/x', 0, 'hub'));
    for (const name of ['one', 'two', 'three']) await writeOne(engine.store(name, 'base'), put('a/x', 0, large));
  });
  const engine = await openSqliteEngine({
    directory,
    clock: new ManualClock(),
    retention: defaultRetention,
    firstStore: 'hub',
  });
  assert.equal(text(engine.store('hub').get(keyOf('a/x'))), 'a/x=hub@1');
  assert.deepEqual([...engine.names()], ['hub', 'base', 'one', 'two', 'three']);
  assert.throws(() => engine.store('three'), { message: 'the store three is still being loaded' });
  const written = writeOne(engine.store('hub'), put('a/y', 0));
  await engine.loaded;
  assert.equal(engine.store('three').count(collection), 1);
  await written;
  await assert.rejects(writeOne(engine.store('base'), put('a/x', 0)), { name: 'StoreUnavailable' });
  await engine.close();
  await withStore(directory, (store) => assert.equal(store.count(collection), 2));
});

test('an engine that opened with its first store fails if another turns out to be damaged', async () => {
  const directory = freshDirectory();
  await withStore(directory, async (store, engine) => {
    await writeOne(store, put('a/x', 0, 'hub'));
    for (const name of ['one', 'two']) await writeOne(engine.store(name), put('a/x', 0, 'x'.repeat(300_000)));
  });
  const database = new DatabaseSync(join(directory, 'flotilla.db'));
  database.exec('UPDATE log SET checksum = 7 WHERE id = (SELECT max(id) FROM log)');
  database.close();
  const options = { directory, clock: new ManualClock(), retention: defaultRetention, firstStore: 'hub' };
  const engine = await openSqliteEngine(options);
  await Promise.all([
    assert.rejects(writeOne(engine.store('hub'), put('a/y', 0)), { name: 'StoreUnavailable' }),
    assert.rejects(engine.loaded, { name: 'UnusableDatabase', message: /the checksum of .* is wrong/ }),
  ]);
  await engine.close();
  await assert.rejects(open(directory), { name: 'UnusableDatabase' });
});

test('a watch resumes after a restart with the events it has not received', async () => {
  const directory = freshDirectory();
  await withStore(directory, async (store) => {
    await store.write([put('a/x', 0, 'one'), put('b/x', 0)]);
    await store.write([put('a/x', 1, 'two'), remove('b/x', 2)]);
  });
  await withStore(directory, async (store) => {
    const cursor = watch(store, 1);
    await writeOne(store, remove('a/x', 3));
    assert.deepEqual(inWords(drain(cursor)), [
      'put b/x=@2 was nothing',
      'put a/x=two@3 was a/x=one@1',
      'delete b/x gone@4 was b/x=@2',
      'delete a/x gone@5 was a/x=two@3',
    ]);
    const past = store.snapshotAt(2);
    assert.ok(past !== 'compacted');
    assert.deepEqual(texts(past.range(collection, '')), ['a/x=one@1', 'b/x=@2']);
  });
});

test('compaction deletes the rows that only history needed, and no revision is reused', async () => {
  const directory = freshDirectory();
  const clock = new ManualClock();
  const engine = await open(directory, clock);
  const store = engine.store('hub');
  for (let round = 0; round < 400; round++) {
    const { revision } = await writeOne(store, put('a/x', 0));
    await writeOne(store, put('a/y', store.get(keyOf('a/y'))?.revision ?? 0));
    await writeOne(store, remove('a/x', revision));
  }
  await clock.advance(6 * 60_000);
  await engine.close();
  // A close aborts a sweep; each later start continues it.
  for (let starts = 0; starts < 5; starts++) {
    const later = await open(directory, clock);
    await clock.advance(61_000);
    await later.close();
  }
  // One object; the newest row, which is never deleted; and the row that it supersedes.
  assert.deepEqual(storedRevisions(directory), [1198, 1199, 1200]);
  await withStore(directory, async (reopened) => {
    assert.equal(reopened.revision, 1200);
    assert.equal(reopened.compactedRevision, 1200);
    assert.deepEqual(texts(reopened.snapshot().range(collection, '')), ['a/y=@1199']);
    assert.equal(reopened.watch({ collection, prefix: '' }, 1199), 'compacted');
    assert.equal((await writeOne(reopened, put('a/x', 0))).revision, 1201);
  });
});

test('a store that started from another has the same content after a restart', async () => {
  const directory = freshDirectory();
  const first = await open(directory);
  await first.store('base').write([put('a/w', 0), put('a/x', 0), put('a/y', 0), put('a/z', 0)]);
  const store = first.store('member', 'base');
  await store.write([remove('a/x', 2), put('a/y', 3, 'mine'), remove('a/w', 1)]);
  // A deleted key of the base stays deleted, also if it was changed or recreated before.
  await store.write([remove('a/y', 6), put('a/w', 0, 'again')]);
  await writeOne(store, remove('a/w', 9));
  await writeOne(store, put('a/v', 0));
  await first.close();
  for (const sweeps of [false, true]) {
    if (sweeps) sweepAll(directory, 1, 11);
    const later = await open(directory);
    const reopened = later.store('member', 'base');
    assert.deepEqual(texts(reopened.snapshot().range(collection, '')), ['a/v=@11', 'a/z=@4']);
    assert.equal(reopened.revision, 11);
    assert.equal(later.store('other', 'base').count(collection), 4);
    await assert.rejects(writeOne(later.store('base'), put('a/z', 4)), { name: 'StoreUnavailable' });
    await later.close();
  }
  assert.deepEqual(storedRevisions(directory), [1, 2, 3, 4, 5, 7, 8, 11]);
});

test('a store that started with a copy has the same content after a restart', async () => {
  const directory = freshDirectory();
  await withStore(directory, async (store, engine) => {
    await store.write([put('a/x', 0), put('a/y', 0), put('a/z', 0)]);
    const copy = engine.store('copy', store.snapshot());
    await copy.write([remove('a/x', 1), put('a/y', 2, 'mine')]);
    await writeOne(store, remove('a/z', 3));
  });
  for (const sweeps of [false, true]) {
    if (sweeps) sweepAll(directory, 1, 5);
    await withStore(directory, (_store, engine) => {
      const copy = engine.store('copy');
      assert.deepEqual(texts(copy.snapshot().range(collection, '')), ['a/y=mine@5', 'a/z=@3']);
      assert.equal(copy.revision, 5);
    });
  }
});

test('a file of the first format is read and migrated', async () => {
  const directory = freshDirectory();
  await withStore(directory, async (store) => writeOne(store, put('a/x', 0)));
  const old = new DatabaseSync(join(directory, 'flotilla.db'));
  old.exec(
    'ALTER TABLE stores DROP COLUMN base; ALTER TABLE stores DROP COLUMN base_revision; PRAGMA user_version = 1',
  );
  old.close();
  await withStore(directory, async (store, engine) => {
    assert.equal(store.count(collection), 1);
    await writeOne(engine.store('member', 'base'), put('a/x', 0));
  });
  await withStore(directory, (_store, engine) => assert.equal(engine.store('member').count(collection), 1));
});

const secondStart = `
  const { openSqliteEngine } = await import(${JSON.stringify(import.meta.resolve('./sqlite-engine.ts'))});
  const { systemClock } = await import(${JSON.stringify(import.meta.resolve('@flotilla/timing'))});
  await openSqliteEngine({ directory: process.argv[1], clock: systemClock }).catch((error) => console.log(error.message));
`;

test('a second start fails and names the process that has the data directory', async () => {
  const directory = freshDirectory();
  const message = `the data directory ${directory} is in use by process ${process.pid}`;
  await withStore(directory, async (store) => {
    await assert.rejects(open(directory), { name: 'DirectoryInUse', message });
    const other = spawnSync(process.execPath, ['--input-type=module', '--eval', secondStart, directory]);
    assert.equal(other.stdout.toString(), `${message}\n`);
    await writeOne(store, put('a/x', 0));
  });
  await withStore(directory, (store) => assert.equal(store.count(collection), 1));
});

test('only its owner can read a data directory', async () => {
  const directory = freshDirectory();
  mkdirSync(directory);
  chmodSync(directory, 0o755);
  await withStore(directory, async (store) => {
    await writeOne(store, put('a/x', 0));
    for (const name of readdirSync(directory)) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name);
  });
});

test('close finishes pending writes and refuses later ones', async () => {
  const directory = freshDirectory();
  const engine = await open(directory);
  const store = engine.store('hub');
  const writes = Array.from({ length: 50 }, async (_, index) => writeOne(store, put(`a/${index}`, 0)));
  const closed = engine.close();
  await assert.rejects(writeOne(store, put('a/late', 0)), { name: 'StoreUnavailable', message: 'the store is closed' });
  await Promise.all([...writes, closed]);
  await withStore(directory, (reopened) => assert.equal(reopened.count(collection), 50));
});
