import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentBytes } from './recent-bytes.ts';

test('the least recently used entry is evicted first', () => {
  const recent = new RecentBytes(10);
  recent.put('a', new Uint8Array(4));
  recent.put('b', new Uint8Array(4));
  assert.equal(recent.get('a')?.length, 4);
  recent.put('c', new Uint8Array(4));
  assert.deepEqual([recent.get('a')?.length, recent.get('b'), recent.get('c')?.length], [4, undefined, 4]);
  assert.equal(recent.total, 8);
});

test('an entry above the limit is not kept', () => {
  const recent = new RecentBytes(10);
  recent.put('a', new Uint8Array(11));
  assert.deepEqual([recent.get('a'), recent.total], [undefined, 0]);
});

test('an entry that is put again counts once', () => {
  const recent = new RecentBytes(10);
  recent.put('a', new Uint8Array(4));
  recent.put('a', new Uint8Array(6));
  assert.deepEqual([recent.get('a')?.length, recent.total], [6, 6]);
});
