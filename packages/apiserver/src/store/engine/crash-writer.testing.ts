/**
 * The process that the crash tests kill. It writes as fast as it can into a data directory, and appends to a file each
 * confirmed write, read and watch event. Each line of that file must still hold after the kill.
 */
import { openSync, writeSync } from 'node:fs';
import { systemClock, type Clock } from '@flotilla/timing';
import { openSqliteEngine } from './sqlite-engine.ts';
import { StoreConflict, type Store } from '../store.ts';
import { collection, crashRetention, keyOf, put, remove, watch, writeOne } from '../store.testing.ts';

const writers = 24;
const names = 1500;

/** Sweeps often, so that kills also hit compaction. */
const fastClock: Clock = {
  ...systemClock,
  every: (_, task) => {
    const timer = setInterval(task, 15);
    return () => clearInterval(timer);
  },
};

const notes = openSync(process.argv[3]!, 'w');
const engine = await openSqliteEngine({
  directory: process.argv[2]!,
  clock: fastClock,
  retention: crashRetention,
});
const store = engine.store('hub');
report(store);
console.log('ready');
for (let writer = 0; writer < writers; writer++) void writeForever(store);
void writePairsForever(store);

function note(...words: readonly (string | number)[]): void {
  writeSync(notes, `${words.join(' ')}\n`);
}

/** Watches everything from the start of the process. */
function report(watched: Store): void {
  const cursor = watch(watched, watched.revision);
  const pull = () => {
    for (;;) {
      const event = cursor.next();
      if (event === undefined) return cursor.onReady(pull);
      if (event === 'compacted') throw new Error('a watch that keeps up fell out of history');
      note('saw', event.revision, event.type, event.entry.key.name, event.previous?.revision ?? 0);
    }
  };
  pull();
}

async function writeForever(target: Store): Promise<never> {
  for (;;) {
    // Some names change all the time. Others rest until history has dropped their last change.
    const name = `a/${Math.floor(Math.random() ** 4 * names)}`;
    const expected = target.newest(keyOf(name))?.revision ?? 0;
    const write = expected > 0 && Math.random() < 0.3 ? remove(name, expected) : put(name, expected, 'x'.repeat(600));
    try {
      const { revision } = await writeOne(target, write);
      note('ack', revision, write.verb, name);
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
    }
    const read = target.get(keyOf(name));
    if (read !== undefined) note('read', read.revision, 'put', name);
  }
}

/** Writes two objects that always change together. */
async function writePairsForever(target: Store): Promise<never> {
  for (;;) {
    const value = `${target.revision}`;
    const both = ['pair/left', 'pair/right'].map((name) =>
      put(name, target.newest(keyOf(name, collection))?.revision ?? 0, value),
    );
    for (const { revision, entry } of await target.write(both)) note('ack', revision, 'put', entry.key.name);
  }
}
