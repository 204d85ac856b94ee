import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { IndexedStore, type Transaction } from '../index/indexed-store.ts';
import { Sweeper } from './sweeper.ts';
import { put } from '../store.testing.ts';

function written(clock: ManualClock, count: number): IndexedStore {
  const journal = {
    append: (transaction: Transaction) => {
      transaction.commit();
      transaction.resolve();
    },
  };
  const store = new IndexedStore({ journal, clock, retention: { maxAgeMs: 10_000, maxBytes: Infinity } });
  void store.write(Array.from({ length: count }, (_, index) => put(`a/${index}`, 0)));
  return store;
}

test('a busy store is swept soon, a quiet one after a minute, an unchanged one never', async () => {
  const clock = new ManualClock();
  const swept: string[] = [];
  const sweeper = new Sweeper(clock, async (store, compacted) => void swept.push(`${store} to ${compacted}`));
  sweeper.add(1, written(clock, 2000), 0);
  sweeper.add(2, written(clock, 10), 0);
  sweeper.add(3, written(clock, 0), 0);
  await clock.advance(11_000);
  await nextTurn();
  assert.deepEqual(swept, ['1 to 2000']);
  await clock.advance(60_000);
  await nextTurn();
  assert.deepEqual(swept, ['1 to 2000', '2 to 10']);
  await sweeper.stop();
});

test('a sweep that the disk refuses is retried', async () => {
  const clock = new ManualClock();
  let tries = 0;
  const sweeper = new Sweeper(clock, async () => {
    if (++tries === 1) throw new Error('the disk is full');
  });
  sweeper.add(1, written(clock, 2000), 0);
  for (let round = 0; round < 3; round++) {
    await clock.advance(11_000);
    await nextTurn();
  }
  assert.equal(tries, 2);
  await sweeper.stop();
});
