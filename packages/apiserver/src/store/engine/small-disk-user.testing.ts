/** The process of the tests on a small disk. Runs the named scenario in a directory there, and sends its observations. */
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock } from '@flotilla/testkit';
import { defaultRetention } from '../log/retention.ts';
import { openSqliteEngine } from './sqlite-engine.ts';
import type { StorageEngine, Store } from '../store.ts';
import { collection, keyOf, put, remove, writeOne } from '../store.testing.ts';

const [, , disk = '', scenario = ''] = process.argv;
const directory = join(disk, 'data');
const filler = join(disk, 'filler');
const value = 'x'.repeat(10_000);

/** The engine checks a full disk once a second; the scenario advances the clock. */
const clock = new ManualClock();

const open = (): Promise<StorageEngine> =>
  openSqliteEngine({ directory, clock, retention: defaultRetention, reserveBytes: 1024 * 1024 });

async function isTaken(write: Promise<unknown>): Promise<boolean> {
  return write.then(
    () => true,
    () => false,
  );
}

async function createUntilRefused(store: Store, from = 0): Promise<number> {
  let count = from;
  while (await isTaken(writeOne(store, put(`a/${count}`, 0, value)))) count++;
  return count;
}

async function passSecond(): Promise<void> {
  await clock.advance(1000);
  await new Promise((resolve) => setImmediate(resolve));
}

async function createWhenThereIsSpace(store: Store, name: string): Promise<void> {
  while (!(await isTaken(writeOne(store, put(name, 0, value))))) await passSecond();
}

async function deleteAll(store: Store): Promise<number> {
  let deleted = 0;
  for (const { key, revision } of store.snapshot().range(collection, '')) {
    // Deletes are accepted whether the disk is full or not, and that may change between two.
    if (deleted % 100 === 50) await passSecond();
    if (await isTaken(writeOne(store, remove(key.name, revision)))) deleted++;
  }
  return deleted;
}

/** Another program uses up the disk. */
function fillDisk(): void {
  const descriptor = openSync(filler, 'w');
  try {
    for (const piece of [Buffer.alloc(1024 * 1024), Buffer.alloc(4096)]) {
      try {
        for (;;) writeSync(descriptor, piece);
      } catch {
        // Full.
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

const scenarios: Readonly<Record<string, () => Promise<object>>> = {
  /** The server's own objects fill the disk; a restart; all are deleted. */
  async emptied() {
    let engine = await open();
    const created = await createUntilRefused(engine.store('hub'));
    await engine.close();
    engine = await open();
    const store = engine.store('hub');
    const found = store.count(collection);
    const first = store.get(keyOf('a/0'))!;
    const shrunk = await isTaken(writeOne(store, put('a/0', first.revision, 'small')));
    const deleted = await deleteAll(store);
    await createWhenThereIsSpace(store, 'b/after');
    const again = await createUntilRefused(store);
    await engine.close();
    return { created, found, shrunk, deleted, again };
  },
  /** Another program fills the disk while the server runs, and while it does not. */
  async shared() {
    let engine = await open();
    let store = engine.store('hub');
    for (let index = 0; index < 20; index++) await writeOne(store, put(`a/${index}`, 0, value));
    await engine.close();
    fillDisk();
    const free = statfsSync(disk).bavail;
    engine = await open();
    store = engine.store('hub');
    const found = store.count(collection);
    const large = await isTaken(writeOne(store, put('a/large', 0, value.repeat(100))));
    const deleted = await deleteAll(store);
    const left = store.count(collection);
    await engine.close();
    engine = await open();
    store = engine.store('hub');
    const afterRestart = store.count(collection);
    rmSync(filler);
    await createWhenThereIsSpace(store, 'b/after');
    await engine.close();
    return { free, found, large, deleted, left, afterRestart };
  },
};

process.send!(await scenarios[scenario]!());
process.disconnect!();
