import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warnings.ts';

test('warnings are quoted, in order, and without duplicates', () => {
  assert.deepEqual(warningHeaders(['b', 'a "q"\n', 'b', '']), ['299 - "b"', '299 - "a \\"q\\""']);
});

test('warnings that are too long together are shortened, and the last ones omitted', () => {
  const long = Array.from({ length: 30 }, (_, index) => `${String(index).padStart(2, '0')}${'x'.repeat(400)}`);
  const headers = warningHeaders(long);
  assert.equal(headers.length, 16);
  assert.equal(headers[0], `299 - "00${'x'.repeat(254)}"`);
});

test('short warnings are sent until the limit is reached', () => {
  const many = Array.from({ length: 2000 }, (_, index) => String(index).padStart(4, '0'));
  assert.equal(warningHeaders(many).length, 1025);
});
