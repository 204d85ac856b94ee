import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threadCount } from './thread-count.ts';

const fleet = { wanted: undefined, members: 100, isInMemory: true, hasFunctions: false, cores: 2 };

test('members run beside the hub where another core and enough members make that worthwhile', () => {
  assert.equal(threadCount(fleet), 1);
  assert.equal(threadCount({ ...fleet, cores: 1 }), 0);
  assert.equal(threadCount({ ...fleet, cores: 16 }), 4);
  assert.equal(threadCount({ ...fleet, cores: 16, members: 17 }), 2);
  assert.equal(threadCount({ ...fleet, members: 7 }), 0);
  assert.equal(threadCount({ ...fleet, isInMemory: false }), 0);
  assert.equal(threadCount({ ...fleet, hasFunctions: true }), 0);
});

test('a given number counts, if members can run in threads at all', () => {
  assert.equal(threadCount({ ...fleet, wanted: 0 }), 0);
  assert.equal(threadCount({ ...fleet, wanted: 3, cores: 1 }), 3);
  assert.equal(threadCount({ ...fleet, wanted: 3, members: 2 }), 2);
  assert.equal(threadCount({ ...fleet, wanted: 3, members: 0 }), 0);
  assert.throws(() => threadCount({ ...fleet, wanted: 1, isInMemory: false }), /memberThreads needs members in memory/);
  assert.throws(() => threadCount({ ...fleet, wanted: 1, hasFunctions: true }), RangeError);
});
