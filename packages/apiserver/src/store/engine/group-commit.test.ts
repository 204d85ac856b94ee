import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { GroupCommit, type BatchReport } from './group-commit.ts';
import { IndexedStore } from '../index/indexed-store.ts';
import type { StoredEvent } from '../sqlite/log-rows.ts';
import { defaultRetention } from '../log/retention.ts';
import { StoreUnavailable } from '../store.ts';
import { keyOf, put, remove, text, writeOne } from '../store.testing.ts';

/** A disk that syncs on command. */
class ManualDisk {
  readonly batches: (readonly StoredEvent[])[] = [];
  #settle: { resolve: () => void; reject: (error: Error) => void } | undefined;
  #asked: (() => void) | undefined;

  sync = async (events: readonly StoredEvent[]): Promise<void> => {
    this.batches.push(events);
    this.#asked?.();
    return new Promise((resolve, reject) => (this.#settle = { resolve, reject }));
  };

  async syncCalled(): Promise<void> {
    if (this.#settle === undefined) await new Promise<void>((resolve) => (this.#asked = resolve));
  }

  finish(): void {
    this.#settle!.resolve();
    this.#settle = undefined;
  }

  fail(): void {
    this.#settle!.reject(new StoreUnavailable('the disk is full'));
    this.#settle = undefined;
  }
}

function storeOn(disk: ManualDisk, commits = new GroupCommit(disk.sync)): IndexedStore {
  return new IndexedStore({ journal: commits.journalOf(0), clock: new ManualClock(), retention: defaultRetention });
}

test('writes of one turn share a sync, and writes during it share the next', async () => {
  const disk = new ManualDisk();
  const store = storeOn(disk);
  const first = [put('a/1', 0), put('a/2', 0)].map(async (write) => writeOne(store, write));
  await disk.syncCalled();
  const second = [put('a/3', 0), put('a/4', 0), put('a/1', 1)].map(async (write) => writeOne(store, write));
  disk.finish();
  await Promise.all(first);
  await disk.syncCalled();
  disk.finish();
  await Promise.all(second);
  assert.deepEqual(
    disk.batches.map((batch) => batch.map(({ event }) => event.revision)),
    [
      [1, 2],
      [3, 4, 5],
    ],
  );
});

test('a write is not visible before it is durable, but the next write builds on it', async () => {
  const disk = new ManualDisk();
  const store = storeOn(disk);
  const created = writeOne(store, put('a/x', 0, 'one'));
  await disk.syncCalled();
  assert.equal(store.get(keyOf('a/x')), undefined);
  assert.equal(store.revision, 0);
  assert.equal(store.snapshot().count('core/configmaps'), 0);
  assert.equal(text(store.newest(keyOf('a/x'))), 'a/x=one@1');
  disk.finish();
  await created;
  assert.equal(text(store.get(keyOf('a/x'))), 'a/x=one@1');
});

test('a failed sync fails the writes accepted on top of it, and no revision is reused', async () => {
  const disk = new ManualDisk();
  const store = storeOn(disk);
  const kept = writeOne(store, put('a/x', 0, 'kept'));
  await disk.syncCalled();
  disk.finish();
  await kept;
  const failing = writeOne(store, put('a/x', 1, 'lost'));
  await disk.syncCalled();
  const onTop = [writeOne(store, remove('a/x', 2)), writeOne(store, put('a/y', 0))];
  const refused = Promise.all([failing, ...onTop].map(async (write) => assert.rejects(write, StoreUnavailable)));
  disk.fail();
  await refused;
  assert.equal(text(store.newest(keyOf('a/x'))), 'a/x=kept@1');
  assert.equal(store.newest(keyOf('a/y')), undefined);
  assert.equal(store.revision, 1);

  const later = writeOne(store, put('a/x', 1, 'later'));
  await disk.syncCalled();
  disk.finish();
  assert.equal((await later).revision, 5);
});

test('a batch has a limit, so that no write waits for all others', async () => {
  const disk = new ManualDisk();
  const store = storeOn(disk);
  const writes = Array.from({ length: 3000 }, async (_, index) => writeOne(store, put(`a/${index}`, 0)));
  for (const expected of [1024, 1024, 952]) {
    await disk.syncCalled();
    assert.equal(disk.batches.at(-1)!.length, expected);
    disk.finish();
  }
  await Promise.all(writes);
});

test('a batch is visible at once, and its callers continue in several turns', async () => {
  const disk = new ManualDisk();
  let readings = 0;
  // Each reading of the clock is a millisecond after the one before.
  const store = storeOn(disk, new GroupCommit(disk.sync, undefined, () => readings++));
  const continued: number[] = [];
  const writes = Array.from({ length: 100 }, async (_, index) => {
    await writeOne(store, put(`a/${index}`, 0));
    continued.push(index);
  });
  await disk.syncCalled();
  disk.finish();
  await writes[0];
  assert.equal(store.revision, 100);
  await writes[31];
  assert.equal(continued.length, 32);
  await Promise.all(writes);
  assert.deepEqual(continued, Array.from(writes.keys()));
});

test('a close does not wait for turns of the event loop to let callers continue', async () => {
  const disk = new ManualDisk();
  const commits = new GroupCommit(disk.sync);
  const store = storeOn(disk, commits);
  let continued = 0;
  const writes = Array.from({ length: 100 }, async (_, index) => {
    await writeOne(store, put(`a/${index}`, 0));
    continued++;
  });
  await disk.syncCalled();
  disk.finish();
  await commits.stop();
  // After all promises, in the same turn.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  assert.equal(continued, 100);
  await Promise.all(writes);
});

test('each batch is reported with its outcome', async () => {
  const disk = new ManualDisk();
  const reports: BatchReport[] = [];
  const store = storeOn(disk, new GroupCommit(disk.sync, (report) => reports.push(report)));
  const kept = [put('a/1', 0), put('a/2', 0)].map(async (write) => writeOne(store, write));
  await disk.syncCalled();
  disk.finish();
  await Promise.all(kept);
  const lost = assert.rejects(writeOne(store, put('a/3', 0)), StoreUnavailable);
  await disk.syncCalled();
  disk.fail();
  await lost;
  assert.deepEqual(
    reports.map(({ events, isDurable }) => [events, isDurable]),
    [
      [2, true],
      [1, false],
    ],
  );
});
