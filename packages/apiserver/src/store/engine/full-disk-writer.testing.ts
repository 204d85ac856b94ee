/** The process of the full-disk test. Runs under a limit on file sizes, which the parent lifts once the limit was hit. */
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { systemClock } from '@flotilla/timing';
import { defaultRetention } from '../log/retention.ts';
import { openSqliteEngine } from './sqlite-engine.ts';
import type { Committed } from '../store.ts';
import { collection, keyOf, put, writeOne } from '../store.testing.ts';

const engine = await openSqliteEngine({
  directory: process.argv[2]!,
  clock: systemClock,
  retention: defaultRetention,
  reserveBytes: 256 * 1024,
});
const store = engine.store('hub');
const value = 'x'.repeat(10_000);
let written = 0;

async function writeUntilRefused(): Promise<Error> {
  try {
    for (;;) await writeOne(store, put(`a/${written}`, 0, value)).then(() => written++);
  } catch (error) {
    return error as Error;
  }
}

/** The engine checks the disk every second. */
async function writeWhenThereIsSpace(): Promise<Committed> {
  for (;;) {
    try {
      return await writeOne(store, put('a/after', 0, value));
    } catch {
      await setTimeout(50);
    }
  }
}

const refusal = await writeUntilRefused();
// Accepted on top of each other: the second fails because the first does.
const together = await Promise.allSettled([
  writeOne(store, put('a/first', 0, value)),
  writeOne(store, put('a/second', 0, value)),
]);
process.send!({
  refusal: `${refusal.name}: ${refusal.message}`,
  together: together.map(({ status }) => status),
  written,
  readable: store.count(collection),
  forgotten: store.newest(keyOf('a/first')) === undefined,
});
await once(process, 'message');
const { revision } = await writeWhenThereIsSpace();
await engine.close();
process.send!({ written: written + 1, revision });
process.disconnect!();
