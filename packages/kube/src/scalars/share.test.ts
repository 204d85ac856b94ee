import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOf } from './share.ts';

test('a share is a count, or a percentage that is rounded as the caller wants', () => {
  assert.equal(shareOf(3, 10, Math.ceil), 3);
  assert.equal(shareOf('3', 10, Math.ceil), 3);
  assert.equal(shareOf('25%', 3, Math.ceil), 1);
  assert.equal(shareOf('25%', 3, Math.floor), 0);
  assert.equal(shareOf('100%', 7, Math.floor), 7);
  assert.equal(shareOf('many', 7, Math.ceil), 0);
});
