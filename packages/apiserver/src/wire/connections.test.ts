import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionLimit } from './connections.ts';

test('connections leave descriptors for files and threads', () => {
  assert.equal(connectionLimit(1024, 40), 1024 - 40 - 128);
  assert.equal(connectionLimit(128, 40), 24);
  assert.equal(connectionLimit(64, 40), 8);
});
