import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/testkit';
import { forkStore, memoryEngine } from './memory-engine.ts';
import { defaultRetention } from '../log/retention.ts';
import { storeConformance } from '../store-conformance.testing.ts';
import { storeProperties } from '../store-properties.testing.ts';
import { collection, drain, put, remove, texts, watch, writeOne } from '../store.testing.ts';

const options = { clock: new ManualClock(), retention: defaultRetention };

const open = async (clock: ManualClock) => memoryEngine({ clock, retention: defaultRetention });
storeConformance('memory', open);
storeProperties('memory', open);

test('a write in memory is committed at once', () => {
  const store = memoryEngine(options).store('hub');
  const { committed } = store.accept([put('a/x', 0)]);
  assert.equal(store.revision, 1);
  assert.ok(!(committed instanceof Promise));
  assert.equal(committed[0]?.revision, 1);
});

test('a fork changes independently from the revision of its snapshot', async () => {
  const store = memoryEngine(options).store('hub');
  await store.write([put('a/x', 0), put('a/y', 0)]);
  const fork = forkStore(store.snapshot(), options);
  await writeOne(fork, remove('a/x', 1));
  await writeOne(store, put('a/x', 1, 'here'));
  assert.deepEqual(texts(fork.snapshot().range(collection, '')), ['a/y=@2']);
  assert.deepEqual(texts(store.snapshot().range(collection, '')), ['a/x=here@3', 'a/y=@2']);
  assert.equal(fork.watch({ collection, prefix: '' }, 1), 'compacted');
  assert.deepEqual(
    drain(watch(fork, 2)).map((event) => event.type),
    ['delete'],
  );
});

test('history that needs too many bytes is dropped early', async () => {
  const store = memoryEngine({ ...options, retention: { maxAgeMs: 60_000, maxBytes: 10_000 } }).store('hub');
  const big = (expected: number) => ({ ...put('a/x', expected), encode: () => Buffer.alloc(3000) });
  for (let revision = 0; revision < 10; revision++) await writeOne(store, big(revision));
  assert.equal(store.compactedRevision, 8);
});

test('live objects do not count as history', async () => {
  const store = memoryEngine({ ...options, retention: { maxAgeMs: 60_000, maxBytes: 10_000 } }).store('hub');
  for (let index = 0; index < 10; index++) {
    await writeOne(store, { ...put(`a/${index}`, 0), encode: () => Buffer.alloc(3000) });
  }
  assert.equal(store.compactedRevision, 0);
});

test('a backup of a store in memory is refused with a clear error', async () => {
  await assert.rejects(memoryEngine(options).backup('nowhere'), /runs in memory/);
});
